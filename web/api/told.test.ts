import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { carRefusals } from '@keyturn/contract/cars/texts.ts'
import { Refusal, refuse } from '@keyturn/contract/shared/error.ts'
import { expect, test } from 'vitest'
import { offline, toldOf, unreadable } from './refusals.ts'

const sentence = accountTexts.settings.failed

// R-everywhere-33
test.each([offline(), refuse.TooManyRequests(), refuse.InternalError(), refuse.Unavailable()])(
  'after %s the screen says its own sentence, the cause below it, and Try Again',
  (fault) => {
    expect(toldOf(fault, sentence)).toEqual({ sentence, cause: fault.message, mayTryAgain: true })
  },
)

test.each([refuse.ValidationError(), refuse.NotFound(), new TypeError('not a refusal')])(
  'after %s, which says no more than the screen, only the screen speaks',
  (fault) => {
    expect(toldOf(fault, sentence)).toEqual({ sentence, cause: null, mayTryAgain: true })
  },
)

test('a refusal with a name replaces the sentence, and nothing asks to try the same again', () => {
  const fault = carRefusals.VinAlreadyListed()
  expect(toldOf(fault, sentence)).toEqual({ sentence: fault.message, cause: null, mayTryAgain: false })
  const ofNewerServer = new Refusal('NotInvented' as never, 409, 'The seller is asleep.')
  expect(toldOf(ofNewerServer, sentence)).toMatchObject({ sentence: 'The seller is asleep.' })
})

test('a page that is older than the server is not asked to try the same again', () => {
  expect(toldOf(unreadable(200), sentence)).toMatchObject({ sentence, mayTryAgain: false })
})

import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { carErrors } from '@keyturn/contract/cars/texts.ts'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import { expect, test } from 'vitest'
import { errorMessageOf, offlineError, unreadableError } from './errors.ts'

const sentence = accountTexts.settings.failed

// R-everywhere-33
test.each([offlineError(), apiErrors.TooManyRequests(), apiErrors.InternalError(), apiErrors.Unavailable()])(
  'after %s the screen says its own sentence, the cause below it, and Try Again',
  (fault) => {
    expect(errorMessageOf(fault, sentence)).toEqual({ sentence, cause: fault.message, mayTryAgain: true })
  },
)

test.each([apiErrors.ValidationError(), apiErrors.NotFound(), new TypeError('not an API error')])(
  'after %s, which says no more than the screen, only the screen speaks',
  (fault) => {
    expect(errorMessageOf(fault, sentence)).toEqual({ sentence, cause: null, mayTryAgain: true })
  },
)

test('a named error replaces the sentence and offers no retry', () => {
  const fault = carErrors.VinAlreadyListed()
  expect(errorMessageOf(fault, sentence)).toEqual({
    sentence: fault.message,
    cause: null,
    mayTryAgain: false,
  })
  const ofNewerServer = new ApiError('NotInvented' as never, 409, 'The seller is asleep.')
  expect(errorMessageOf(ofNewerServer, sentence)).toMatchObject({ sentence: 'The seller is asleep.' })
})

test('offers no retry when the page is older than the server', () => {
  expect(errorMessageOf(unreadableError(200), sentence)).toMatchObject({
    sentence,
    mayTryAgain: false,
  })
})

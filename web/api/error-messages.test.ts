import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { carErrors } from '@keyturn/contract/cars/texts.ts'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import { expect, test } from 'vitest'
import { errorMessageOf, offlineError, unreadableError } from './errors.ts'

const sentence = accountTexts.settings.failed

// R-everywhere-33
test.each([offlineError(), apiErrors.TooManyRequests(), apiErrors.InternalError(), apiErrors.Unavailable()])(
  'shows the screen’s sentence, the cause and Try Again after %s',
  (fault) => {
    expect(errorMessageOf(fault, sentence)).toEqual({ sentence, cause: fault.message, mayTryAgain: true })
  },
)

test.each([apiErrors.ValidationError(), apiErrors.NotFound(), new TypeError('not an API error')])(
  'shows only the screen’s sentence after the generic error %s',
  (fault) => {
    expect(errorMessageOf(fault, sentence)).toEqual({ sentence, cause: null, mayTryAgain: true })
  },
)

test('shows a specific error’s message instead of the screen’s sentence, without a retry', () => {
  const fault = carErrors.VinAlreadyListed()
  expect(errorMessageOf(fault, sentence)).toEqual({
    sentence: fault.message,
    cause: null,
    mayTryAgain: false,
  })
  const unknownCode = new ApiError('NotInvented' as never, 409, 'The seller is asleep.')
  expect(errorMessageOf(unknownCode, sentence)).toMatchObject({ sentence: 'The seller is asleep.' })
})

test('offers no retry when the page is older than the server', () => {
  expect(errorMessageOf(unreadableError(200), sentence)).toMatchObject({
    sentence,
    mayTryAgain: false,
  })
})

import { passkeyErrors } from './accounts/passkey-texts.ts'
import { accountErrors } from './accounts/texts.ts'
import { carErrors } from './cars/texts.ts'
import { dealErrors } from './deals/texts.ts'
import { type ApiError, apiErrors, type ErrorCodes } from './shared/error.ts'
import { photoErrors } from './shared/photo-texts.ts'
import { tradeErrors } from './trades/texts.ts'

/** Every error of every module, for the OpenAPI document. */
export const allErrors: Record<keyof ErrorCodes, () => ApiError> = {
  ...apiErrors,
  ...photoErrors,
  ...accountErrors,
  ...passkeyErrors,
  ...carErrors,
  ...tradeErrors,
  ...dealErrors,
}

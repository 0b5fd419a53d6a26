import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { ApiError } from '@keyturn/contract/shared/error.ts'

/** Says why a confirmed action failed, in the dialog that stays open. */
export const failureText = (fault: unknown): string =>
  fault instanceof ApiError ? fault.message : dealTexts.home.deleteFailed

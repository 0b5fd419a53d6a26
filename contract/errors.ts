import { accountRefusals } from './accounts/texts.ts'
import { carRefusals } from './cars/texts.ts'
import { dealRefusals } from './deals/texts.ts'
import { type Refusal, type RefusalCodes, refuse } from './shared/error.ts'
import { photoRefusals } from './shared/photo-texts.ts'
import { tradeRefusals } from './trades/texts.ts'

/** Every refusal of every room: read by the OpenAPI document. */
export const allRefusals: Record<keyof RefusalCodes, () => Refusal> = {
  ...refuse,
  ...photoRefusals,
  ...accountRefusals,
  ...carRefusals,
  ...tradeRefusals,
  ...dealRefusals,
}

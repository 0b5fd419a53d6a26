import { accountRefusals } from './accounts/texts.ts'
import { carRefusals } from './cars/texts.ts'
import { dealRefusals } from './deals/texts.ts'
import { photoRefusals } from './kit/photo-texts.ts'
import { type Refusal, type RefusalCodes, refuse } from './kit/refusal.ts'
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

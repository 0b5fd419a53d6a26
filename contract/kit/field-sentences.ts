import { z } from 'zod'
import { fieldTexts } from './fields.ts'
import { webhookTexts } from './webhooks.ts'

const yesOrNo = 'Please answer yes or no.'
const amount = 'Please enter an amount in dollars, with at most two decimals.'
const code = 'This link is invalid.'

/**
 * Sentences by field name, for fields whose schema has none of its own, so that nobody ever reads one of the library's
 * messages (R-everywhere-32). A field that is missing here fails `server/http/sentences.test.ts`.
 */
export const ofFields: Record<string, string> = {
  // The body itself is not an object.
  '': 'Please check the fields and try again.',
  data: 'Please check the fields and try again.',

  id: fieldTexts.id,
  userId: fieldTexts.id,
  otherUserId: fieldTexts.id,
  sellerId: fieldTexts.id,
  buyerId: fieldTexts.id,
  carId: fieldTexts.id,
  tradeId: fieldTexts.id,
  pkgId: fieldTexts.id,
  mailId: fieldTexts.id,
  photoId: fieldTexts.id,
  photoIds: 'Please name each photo once.',
  changePasswordId: fieldTexts.id,

  userType: 'Please choose buyer or seller.',
  username: 'Please enter a username of 3 to 255 characters.',
  currentPassword: fieldTexts.passwordRequired,
  code,
  verificationCode: code,
  approved: 'Please use true or false.',
  isShown: 'Please use true or false.',
  isLooking: 'Please use true or false.',
  tab: 'Please give 32 hexadecimal characters.',
  isOn: 'Please use true or false.',
  channel: 'Please choose a way to be told.',
  contact: 'Please use true or false.',
  paper: 'Please choose Letter or A4.',
  digest: 'Please give the 64 characters of a digest.',
  size: 'Please give the number of entries.',
  file: 'Please give the number of the file.',

  vin: fieldTexts.vin,
  zipCode: fieldTexts.zipCode,
  payoff: yesOrNo,
  message: 'Please enter your message as plain text.',
  text: 'Please enter your message as plain text.',
  description: 'Please describe your car in plain text.',
  condition: 'Please describe the condition in plain text.',
  owners: fieldTexts.owners,
  titleHolder: 'Please choose one of the options.',
  reason: 'Please enter the reason as plain text.',
  document: 'Please say what is missing, as plain text of up to 300 characters.',
  place: 'Please enter the place, as plain text of up to 200 characters.',
  email: fieldTexts.email,
  webhookUrl: webhookTexts.url,
  webhookSecrets: webhookTexts.secrets,
  dealerId: fieldTexts.id,
  deliveryId: fieldTexts.id,
  state: 'Please choose one of the options.',
  kind: 'Please choose one of the options.',
  list: 'Please choose one of the options.',
  type: 'There is no such event.',
  trades: 'Please choose at most 10 trades.',
  tradeVins: 'Please choose at most 10 trades.',

  status: 'Please choose one of the options.',
  version: 'This page is out of date. Please load it again.',
  limit: 'Please ask for 1 to 200 at a time.',
  cursor: 'Please open this list again from the start.',

  step: 'There is no such step.',
  goBack: yesOrNo,
  hasTrade: yesOrNo,
  needsFinancing: yesOrNo,
  financing: 'Please check your answers about financing.',
  amount,
  downPayment: amount,
  tradeValue: amount,
  termMonths: 'Please enter a number of months from 1 to 120.',
  contactConsent: yesOrNo,
  agreementSigned: yesOrNo,
  buyerSigned: yesOrNo,
  buyerSignedName: 'Please type your name.',
  buyerSignature: 'Please type your signature.',
  buyerDrawing: 'Please draw your signature again, or leave it out.',
  sellerSigned: yesOrNo,
  sellerSignedName: 'Please type your name.',
  sellerSignature: 'Please type your signature.',
  sellerDrawing: 'Please draw your signature again, or leave it out.',
  consent: 'Please confirm that you agree to sign electronically.',
  textVersion: 'Please load this page again to read the agreement as it is now.',
}

/** For a field that was forgotten: still better than the library's message. */
export const anyField = 'Please check this field.'

/** For `trades.0`, the name is that of the list. */
const nameOf = (path: readonly PropertyKey[] = []): string =>
  String(path.findLast((key) => typeof key === 'string') ?? '')

z.config({ customError: ({ path }) => ofFields[nameOf(path)] ?? anyField })

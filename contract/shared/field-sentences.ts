import { z } from 'zod'
import { fieldTexts } from './fields.ts'
import { webhookTexts } from './webhooks.ts'

/** The fields of each sentence; '' is the body itself when it is not an object. */
const fieldsOf: readonly [sentence: string, fields: readonly string[]][] = [
  ['Please check the fields and try again.', ['', 'data']],
  [
    fieldTexts.id,
    [
      ...[
        'id',
        'userId',
        'otherUserId',
        'sellerId',
        'buyerId',
        'carId',
        'tradeId',
        'pkgId',
        'mailId',
        'photoId',
      ],
      ...['changePasswordId', 'dealerId', 'deliveryId', 'sessionId', 'administratorId'],
    ],
  ],
  ['Please name each photo once.', ['photoIds']],

  ['Please choose buyer or seller.', ['userType']],
  ['Please enter a username of 3 to 255 characters.', ['username']],
  [fieldTexts.passwordRequired, ['currentPassword']],
  ['This link is invalid.', ['code', 'verificationCode']],
  ['Please use true or false.', ['approved', 'isShown', 'isLooking', 'isOn', 'contact', 'own']],
  ['Please enter 32 hexadecimal characters.', ['tab']],
  ['Please choose how to be notified.', ['channel']],
  ['Please choose Letter or A4.', ['paper']],
  ['Please enter the 64 characters of a digest.', ['digest']],
  ['Please enter the number of entries.', ['size']],
  ['Please enter the number of the file.', ['file']],

  [fieldTexts.vin, ['vin']],
  [fieldTexts.zipCode, ['zipCode']],
  ['Please enter your message as plain text.', ['message', 'text']],
  ['Please describe your car in plain text.', ['description']],
  ['Please describe the condition in plain text.', ['condition']],
  [fieldTexts.owners, ['owners']],
  ['Please enter the reason as plain text.', ['reason']],
  ['Please say why, as plain text.', ['note']],
  ['Please say what is missing, as plain text of up to 300 characters.', ['document']],
  ['Please enter the place, as plain text of up to 200 characters.', ['place']],
  [fieldTexts.email, ['email']],
  [webhookTexts.url, ['webhookUrl']],
  [webhookTexts.secrets, ['webhookSecrets']],
  [
    'Please choose one of the options.',
    ['titleHolder', 'state', 'kind', 'list', 'status', 'format', 'role', 'change', 'administrator', 'person'],
  ],
  ['There is no such event.', ['type']],
  ['Please choose at most 10 trades.', ['trades', 'tradeVins']],

  ['This page is out of date. Please load it again.', ['version']],
  ['Please ask for 1 to 200 at a time.', ['limit']],
  ['Please open this list again from the start.', ['cursor']],

  ['There is no such step.', ['step']],
  [
    'Please answer yes or no.',
    [
      ...['payoff', 'goBack', 'hasTrade', 'needsFinancing', 'contactConsent'],
      ...['agreementSigned', 'buyerSigned', 'sellerSigned'],
    ],
  ],
  ['Please check your answers about financing.', ['financing']],
  ['Please enter an amount in dollars, with at most two decimals.', ['amount', 'downPayment', 'tradeValue']],
  ['Please enter a number of months from 1 to 120.', ['termMonths']],
  ['Please type your name.', ['buyerSignedName', 'sellerSignedName']],
  ['Please type your signature.', ['buyerSignature', 'sellerSignature']],
  ['Please draw your signature again, or leave it out.', ['buyerDrawing', 'sellerDrawing']],
  ['Please confirm that you agree to sign electronically.', ['consent']],
  ['Please reload this page to read the current agreement.', ['textVersion']],
]

/**
 * Sentences by field name, for fields whose schema has none, instead of the library's messages
 * (R-everywhere-32). A field that is missing here fails
 * `server/platform/http/validation-messages.test.ts`.
 */
export const fieldSentences: Record<string, string> = Object.fromEntries(
  fieldsOf.flatMap(([sentence, fields]) => fields.map((field) => [field, sentence])),
)

/** For a field without a sentence: better than the library's message. */
export const defaultSentence = 'Please check this field.'

/** Returns the field's name; for an element such as `trades.0`, the name of its list. */
const nameOf = (path: readonly PropertyKey[] = []): string =>
  String(path.findLast((key) => typeof key === 'string') ?? '')

z.config({ customError: ({ path }) => fieldSentences[nameOf(path)] ?? defaultSentence })

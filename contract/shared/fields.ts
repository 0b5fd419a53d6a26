import { z } from 'zod'
import { type Cents, cents, maxPriceDollars } from './money.ts'
import { isVinShape, normalizeVin } from './vin.ts'
import { hasHiddenCharacters, hasLetter, hasLetterOrDigit, sanitizeMessage } from './visible-text.ts'

/** Line breaks and tabs are the only control characters allowed in a message. */
const noControlsButBreaks = /^[^\p{Cc}]*(?:[\n\r\t][^\p{Cc}]*)*$/u

/**
 * One sentence per field (R-cars-1, R-accounts-9); the specified ones are verbatim
 * (R-everywhere-8).
 */
export const fieldTexts = {
  email: 'Please enter a valid email address.',
  passwordShort: 'Password must contain at least 8 characters',
  passwordRequired: 'Password is required.',
  passwordLong: 'Password must contain at most 255 characters',
  passwordsDiffer: 'Passwords do not match.',
  phone: 'Invalid phone number.',
  name: 'Your name is required.',
  vin: 'Invalid VIN.',
  make: 'Car make is required.',
  model: 'Car model is required.',
  color: 'Car color is required.',
  trim: 'Car trim is required.',
  year: 'Invalid year.',
  mileage: 'Invalid mileage.',
  price: 'Invalid price.',
  payoffAmount: 'Enter whole dollars from 1 to 10,000,000, or leave this empty.',
  lender: 'Please keep this to 64 characters.',
  priceRequired: 'Price is required',
  vinRequired: 'VIN is required',
  id: 'Invalid ID.',
  zipCode: 'Invalid ZIP code.',
  messageLong: 'Please keep this to 1,000 characters.',
  latinSpelling: 'Please use Latin letters.',
  signatureLong: 'Please keep this to 255 characters.',
  caption: 'Please describe the photo in up to 120 characters.',
  condition: 'Please keep this to 300 characters.',
  owners: 'Please enter a number of owners from 1 to 99.',
  characters: 'Please use only letters, numbers and common symbols.',
} as const

export const id = z.string(fieldTexts.id).regex(/^[0-9a-f]{24}$/, fieldTexts.id)

/** A line of text a person typed: trimmed, visibly not empty, and without hidden characters. */
export const line = (max: number, sentence: string, isSeen = hasLetterOrDigit) =>
  z
    .string(sentence)
    .normalize('NFC')
    .trim()
    .max(max, sentence)
    // `refine` does not abort, so that all fields with errors are reported together.
    .refine(isSeen, sentence)
    .refine((text) => !isSeen(text) || hasNothingHidden(text), fieldTexts.characters)

/** Like `line`, but may be empty. */
export const optionalLine = (max: number, sentence: string) =>
  z
    .string(sentence)
    .normalize('NFC')
    .trim()
    .max(max, sentence)
    .refine((text) => text === '' || hasLetterOrDigit(text), sentence)
    .refine((text) => !hasLetterOrDigit(text) || hasNothingHidden(text), fieldTexts.characters)

/** Free text of several lines. */
export const paragraphs = (max: number, sentence: string) =>
  z
    .string()
    .trim()
    .regex(noControlsButBreaks, fieldTexts.characters)
    .overwrite(sanitizeMessage)
    .max(max, sentence)

/** Up to 1,000 characters (R-cars-5). */
export const message = paragraphs(1000, fieldTexts.messageLong)

export const email = z
  .string(fieldTexts.email)
  .trim()
  .normalize('NFC')
  .toLowerCase()
  .max(254, fieldTexts.email)
  .pipe(z.email(fieldTexts.email))

/** Accepts any character; the length counts code points. */
export const newPassword = z
  .string(fieldTexts.passwordShort)
  .refine((text) => [...text].length >= 8, fieldTexts.passwordShort)
  .refine(fitsPassword, fieldTexts.passwordLong)

export const enteredPassword = z
  .string(fieldTexts.passwordRequired)
  .min(1, fieldTexts.passwordRequired)
  .refine(fitsPassword, fieldTexts.passwordLong)

/** Required when the sign-in was too long ago; empty when it was not asked for. */
export const currentPassword = z.string().refine(fitsPassword, fieldTexts.passwordLong).optional()

export const personName = line(255, fieldTexts.name, hasLetter)

/** A name or signature that a person signs with; without a visible letter it counts as empty. */
export const signatureText = z
  .string()
  .normalize('NFC')
  .trim()
  .overwrite((text) => (hasLetter(text) ? text : ''))
  .max(255, fieldTexts.signatureLong)
  .refine(hasNothingHidden, fieldTexts.characters)

/** Normalizes pasted text: removes invisible characters, replaces special spaces and dashes. */
const plainPhone = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/^\s*tel:/iu, '')
    .replace(/\s+/gu, ' ')
    .trim()

/**
 * 10 to 17 characters with at least seven digits; extensions: `x22`, `ext 22`, `#22`
 * (R-accounts-9).
 */
export const phone = z
  .string(fieldTexts.phone)
  .overwrite(plainPhone)
  .min(10, fieldTexts.phone)
  .max(17, fieldTexts.phone)
  .regex(/^(?=(?:\D*\d){7})[0-9+()\-./ ]+(?:(?:x|ext\.?|#) ?\d+)?$/i, fieldTexts.phone)

export const vin = z
  .string(fieldTexts.vin)
  .overwrite(normalizeVin)
  .refine((text) => isVinShape(text), fieldTexts.vin)

/** A VIN in a URL or a filter: it only has to match a row. */
export const looseVin = z
  .string(fieldTexts.vin)
  .overwrite(normalizeVin)
  .regex(/^[A-Z0-9]{1,32}$/, fieldTexts.vin)

/** Later than 1900 (R-cars-4); `isPlausibleModelYear` in `cars/rules.ts` has the upper limit. */
export const year = z.int(fieldTexts.year).min(1901, fieldTexts.year).max(9999, fieldTexts.year)

/** No car is sold with more than two million miles; the limit catches two extra digits. */
export const mileage = z.int(fieldTexts.mileage).min(1, fieldTexts.mileage).max(2_000_000, fieldTexts.mileage)

/** Five digits of a state as text, leading zeros restored; ZIP+4 is truncated (R-trades-29). */
export const zip = z.codec(
  z.union([z.string(), z.int()], fieldTexts.zipCode),
  z
    .string()
    .regex(/^\d{5}$/, fieldTexts.zipCode)
    .refine(isAssigned, fieldTexts.zipCode),
  { decode: (given) => padZip(given), encode: (text) => text },
)

export const padZip = (given: string | number): string =>
  String(given)
    .trim()
    .replace(/^(\d{5})-?\d{4}$/, '$1')
    .padStart(5, '0')

/** The first three digits that belong to no state, territory or military region. */
const unassigned = new Set(
  `000 001 002 003 004 099 213 269 343 345 348 353 419 428 429 517 518 519 529 533 536 552 568
   578 579 589 621 632 642 643 659 663 682 694 695 696 697 698 699 702 709 715 732 742 771 817
   818 819 839 848 849 854 858 861 862 866 867 868 869 872 886 887 888 892 896 899 909 929 987`.split(/\s+/),
)

export function isAssigned(zipCode: string): boolean {
  return !unassigned.has(zipCode.slice(0, 3))
}

/** An entered price: whole dollars from 1 to 10,000,000 on the wire, cents inside (R-cars-3). */
export const price = z.codec(
  z.int(fieldTexts.price).min(1, fieldTexts.price).max(maxPriceDollars, fieldTexts.price),
  z.custom<Cents>(Number.isSafeInteger),
  { decode: (dollars) => cents(dollars * 100), encode: (value) => value / 100 },
)

/** What a person owes on their own car: whole dollars on the wire; 0 means unknown, like null. */
export const loanFields = {
  payoffAmount: z
    .codec(
      z
        .int(fieldTexts.payoffAmount)
        .min(0, fieldTexts.payoffAmount)
        .max(maxPriceDollars, fieldTexts.payoffAmount)
        .nullable(),
      z.custom<Cents>(Number.isSafeInteger).nullable(),
      {
        decode: (dollars) => (dollars ? cents(dollars * 100) : null),
        encode: (value) => value && value / 100,
      },
    )
    .optional(),
  lender: optionalLine(64, fieldTexts.lender).optional(),
}

/** The row version that the caller saw; an outdated one gets 409 StaleVersion. */
export const version = z.int().min(1).optional()

/** Paging of a list: the number of rows, and the row after which to start. */
export const pageParams = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
})

export const isoTime = z.iso.datetime()
export const okResponse = z.object({ ok: z.literal(true) })

/** Normalized first, because keyboards encode the same character in different ways. */
function fitsPassword(text: string): boolean {
  return [...text.normalize('NFC')].length <= 255
}

function hasNothingHidden(text: string): boolean {
  return !hasHiddenCharacters(text)
}

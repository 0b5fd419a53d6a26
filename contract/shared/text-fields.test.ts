import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { register } from '../accounts/endpoints.ts'
import { addCar, carFields } from '../cars/endpoints.ts'
import { updateProgress } from '../deals/endpoints.ts'
import { addTrade } from '../trades/endpoints.ts'
import { email, fieldTexts, message, personName, signatureText } from './fields.ts'
import { sanitizeLine } from './visible-text.ts'

const names = { personName, signingWords: signatureText }
const lines = {
  ...names,
  make: carFields.make,
  model: carFields.carModel,
  trim: carFields.trim,
  color: carFields.color,
}
const sentenceOf = (schema: z.ZodType, given: unknown) => {
  const parsed = schema.safeParse(given)
  return parsed.success ? { stored: parsed.data } : parsed.error.issues[0]?.message
}

/** One of each kind of invisible character, and one that reverses the rest of the line. */
const invisible = {
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'zero-width non-joiner': '\u200c',
  'word joiner': '\u2060',
  'byte order mark': '\ufeff',
  'soft hyphen': '\u00ad',
  'right-to-left override': '\u202e',
  'left-to-right isolate': '\u2066',
  'right-to-left mark': '\u200f',
  'tag letter': '\u{e0041}',
  'private use': '\ue000',
  'no character at all': '\uffff',
  'Hangul filler': '\u3164',
  'Hangul initial filler': '\u115f',
  'half-width filler': '\uffa0',
  'Braille blank': '\u2800',
  'variation selector': '\ufe0f',
  'selector of a variant': '\u{e0100}',
  'mark without a letter': '\u0301',
  'line separator': '\u2028',
  'no-break space': '\u00a0',
}

test.each(Object.entries(invisible))(
  'rejects a lone %s as a name, a signature or a car’s text',
  (_, sign) => {
    expect(sentenceOf(personName, sign)).toBe(fieldTexts.name)
    expect(sentenceOf(signatureText, sign.repeat(3))).toEqual({ stored: '' })
    expect(sentenceOf(carFields.make, sign)).toBe(fieldTexts.make)
    expect(sentenceOf(carFields.trim, `${sign} ${sign}`)).toBe(fieldTexts.trim)
  },
)

const hiding = Object.entries(invisible).filter(
  ([name]) => !['mark without a letter', 'no-break space'].includes(name),
)
test.each(hiding)('rejects a hidden %s in every single-line field', (_, sign) => {
  for (const schema of Object.values(lines))
    expect(sentenceOf(schema, `Ben${sign}ny`)).toBe(fieldTexts.characters)
  expect(sanitizeLine(`Ben${sign}ny`).replace(' ', '')).toBe('Benny')
})

describe('accepts names as people write them', () => {
  test.each([
    'José Ñandú',
    'Zoë O’Neil-Łukasz Jr.',
    'Nguyễn Thị Minh',
    'Дмитрий Иванов',
    '陈小明',
    'علی‌رضا',
    'राजेश क्‍षत्रिय',
    'ශ්‍රී',
    'יִצְחָק',
    'ก้องเกียรติ',
  ])('%s', (name) => {
    for (const schema of Object.values(names))
      expect(sentenceOf(schema, name)).toEqual({ stored: name.normalize('NFC') })
    expect(sanitizeLine(name)).toBe(name)
  })
})

test.each([
  ['at the end', 'علی‌'],
  ['beside a Latin letter', 'A\u200dی'],
  ['twice', 'علی\u200c\u200cرضا'],
])('rejects a joiner %s', (_, name) => {
  expect(sentenceOf(personName, name)).toBe(fieldTexts.characters)
})

test('rejects a pile of combining marks that would cover other lines', () => {
  expect(sentenceOf(personName, `Z${'\u0335'.repeat(7)}oe`)).toBe(fieldTexts.characters)
  expect(sanitizeLine(`Z${'\u0335'.repeat(60)}oe`)).toBe('Zoe')
})

test('stores a name in one form, however the keyboard encoded it', () => {
  for (const schema of [...Object.values(lines), message])
    expect(schema.parse('Jose\u0301')).toBe('Jos\u00e9')
})

test('requires a letter in names and signatures, a letter or digit in a car’s text, and any visible character in a trim', () => {
  for (const text of ['123', '—', '👍']) {
    expect(sentenceOf(personName, text)).toBe(fieldTexts.name)
    expect(sentenceOf(signatureText, text)).toEqual({ stored: '' })
  }
  expect(sentenceOf(carFields.carModel, '500')).toEqual({ stored: '500' })
  expect(sentenceOf(carFields.carModel, '!')).toBe(fieldTexts.model)
  for (const trim of ['+', '!']) expect(sentenceOf(carFields.trim, trim)).toEqual({ stored: trim })
})

test('preserves lines, emoji and joiners of a message, and removes hidden and reversing characters', () => {
  const family = '👨‍👩‍👧 ❤️'
  expect(message.parse(`Call\u202e me\u2066\n${family}\u{e0041}\u200b علی‌رضا\u3164`)).toBe(
    `Call me\n${family} علی‌رضا`,
  )
  for (const sign of Object.values(invisible)) expect(message.parse(sign)).toBe('')
  expect(sentenceOf(message, 'Bell\u0007')).toBe(fieldTexts.characters)
})

test('rejects piled marks even if hidden characters separate them', () => {
  for (const sign of ['\u200b', '\u200d']) {
    const piled = `Z${`${'\u0335'.repeat(6)}${sign}`.repeat(9)}oe`
    expect(message.parse(piled)).toBe('Zoe')
    expect(sanitizeLine(piled)).toBe('Zoe')
  }
})

test('changes nothing when a message is cleaned twice, and separates pasted lines', () => {
  expect(message.parse('Jose\u200b\u0301')).toBe('Jos\u00e9')
  expect(message.parse('One owner\u2028New tires\u2029Clean title')).toBe('One owner\nNew tires\nClean title')
})

test('rejects invisible characters in an email address', () => {
  for (const sign of Object.values(invisible))
    expect(sentenceOf(email, `be${sign}n@example.com`)).toBe(fieldTexts.email)
})

/** Hostile text: letters, marks, blanks and hidden characters in any order. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Object.values(invisible), ...'aZ9 é-.', 'ی', 'क', '्', '\u0335', '\n', '\u0000', '😀'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 40,
})

// R-everywhere-7
test.each(Object.entries(lines))('accepts only visible text that hides nothing as %s', (field, schema) => {
  fc.assert(
    fc.property(text, (given) => {
      const parsed = schema.safeParse(given)
      if (!parsed.success || parsed.data === '') return
      const stored = parsed.data
      expect(stored).toMatch(field === 'trim' ? /[\p{L}\p{N}\p{P}\p{S}]/u : /[\p{L}\p{N}]/u)
      const withoutJoiners = stored.replace(/(?<=[\p{L}\p{M}])(?:\u200c|\u200d)(?=[\p{L}\p{M}])/gu, '')
      expect(withoutJoiners).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u)
      expect([stored, stored]).toEqual([stored.trim(), stored.normalize('NFC')])
      expect(schema.parse(stored)).toBe(stored)
    }),
    { numRuns: 2000 },
  )
})

// R-everywhere-7
test('accepts only visible text that is not reversed as a message', () => {
  fc.assert(
    fc.property(text, (given) => {
      const parsed = message.safeParse(given)
      if (!parsed.success || parsed.data === '') return
      expect(parsed.data).toMatch(/[\p{L}\p{N}\p{P}\p{S}]/u)
      expect(parsed.data.replace(/\u200c|\u200d|[\n\r\t]/gu, '')).not.toMatch(/\p{C}/u)
    }),
    { numRuns: 2000 },
  )
})

test('applies these rules in every endpoint that takes text about people or cars', () => {
  const fields = [
    [register, ['firstName', 'lastName']],
    [addCar, ['make', 'carModel', 'trim', 'color']],
    [addTrade, ['make', 'carModel', 'trim', 'color']],
  ] as const
  for (const [call, paths] of fields) {
    const given = Object.fromEntries(paths.map((path) => [path, 'Ben\u202eny']))
    const faults = call.body.safeParse(given).error?.issues ?? []
    for (const path of paths)
      expect(faults.find((issue) => issue.path[0] === path)?.message).toBe(fieldTexts.characters)
  }
  const signing = {
    userId: 'a'.repeat(24),
    vin: '12345678901',
    data: { userType: 'BUYER', buyerSignedName: 'B\u202eb' },
  }
  expect(updateProgress.body.safeParse(signing).error?.issues[0]?.message).toBe(fieldTexts.characters)
})

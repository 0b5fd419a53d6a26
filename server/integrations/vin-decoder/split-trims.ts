/**
 * Splits a text of the VIN tables into its trims: "L/LE/SE" are three, "R/T" and "EX w/Leather" are
 * one each. Returns none for text that names no trim.
 */
export function splitTrims(text: string): string[] {
  const names = parts(text.replace(/\s+/g, ' ').trim()).filter(
    (name) => name !== '' && name.length <= maxTrimLength && !/^(?:n\/?a|none|not applicable)$/i.test(name),
  )
  const small = names.map((name) => name.toLowerCase())
  return names.filter((_, place) => small.indexOf(small[place] ?? '') === place)
}

/** The longest trim that a form accepts. */
const maxTrimLength = 64

/** Splits at list separators, but not inside parentheses. */
function parts(text: string): string[] {
  const found = ['']
  let depth = 0
  for (const piece of text.split(divider)) {
    if (depth === 0 && /^(?:[,;/]| or )$/.test(piece)) found.push('')
    else found[found.length - 1] += piece
    depth += count(piece, '(') - count(piece, ')')
  }
  return found.map((name) => name.trim())
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/** A slash in "R/T", "w/" and "RT/10" belongs to the word. */
const ownSlash = String.raw`\b[A-Z0-9]\/[A-Z0-9]\b|\bw\/o?|\bRT\/10\b`
const divider = new RegExp(`(${ownSlash}|[,;/()]| or )`, 'i')

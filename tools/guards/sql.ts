/** A condition in a statement, with its position and whether it only joins two tables. */
export type Conjunct = { start: number; end: number; text: string; isJoin: boolean }

type Token = { text: string; start: number; end: number }
type Open = { start: number; by: string } | null

/** Keywords that begin a condition, and keywords that end it. */
const begins = new Set(['where', 'on', 'when', 'and', 'or', 'having'])
const ends = new Set(
  'order group limit offset returning for then else end union except intersect left right inner cross join where set from on select do having when'.split(
    ' ',
  ),
)

/**
 * The conditions of a piece of SQL: whatever is between `where`, `on`, `when`, `and` and `or`. Holes (`${...}`) must
 * already be filled with word characters of the same length. A piece that is a single condition yields none.
 */
export function conjunctsOf(sql: string): Conjunct[] {
  const found: Conjunct[] = []
  const stack: { open: Open; between: boolean }[] = [{ open: { start: 0, by: '' }, between: false }]
  const close = (end: number, followedBy: string) => {
    const top = stack.at(-1)
    if (!top?.open) return
    const { start, by } = top.open
    top.open = null
    const text = sql.slice(start, end)
    // Alone in its parentheses it is an expression, not one of several conditions.
    if (!by && followedBy !== 'and' && followedBy !== 'or') return
    const from = start + (text.length - text.trimStart().length)
    const trimmed = text.trim()
    if (trimmed) found.push({ start: from, end: from + trimmed.length, text: trimmed, isJoin: by === 'on' })
  }
  const tokens = tokensOf(sql)
  for (const [index, token] of tokens.entries()) {
    const word = token.text.toLowerCase()
    const top = stack.at(-1)
    if (!top) throw new Error(`brackets do not match: ${sql}`)
    if (word === '(') stack.push({ open: { start: token.end, by: '' }, between: false })
    else if (word === ')') {
      close(token.start, ')')
      stack.pop()
    } else if (word === 'between') top.between = true
    // Only what stands behind a `when` of it can be left out.
    else if (word === 'case') top.open = null
    else if (word === 'and' && top.between) top.between = false
    else if (word === 'on' && tokens[index + 1]?.text.toLowerCase() === 'conflict') close(token.start, word)
    else if (begins.has(word)) {
      const joins = word === 'and' && top.open?.by === 'on'
      close(token.start, word)
      top.open = { start: token.end, by: joins ? 'on' : word }
    } else if (word === 'from' && tokens[index - 1]?.text.toLowerCase() === 'distinct') {
      // `is distinct from` is a comparison, not a from clause.
    } else if (ends.has(word) || word === ';' || word === 'as') close(token.start, word)
    else if (word === ',' || word === 'select') {
      close(token.start, word)
      top.open = { start: token.end, by: '' }
    }
  }
  close(sql.length, '')
  return found.sort((one, other) => one.start - other.start)
}

function tokensOf(sql: string): Token[] {
  return [...sql.matchAll(/--[^\n]*|'(?:[^']|'')*'|"[^"]*"|[\w§.]+|[()]|;|[^\s\w§()]/g)]
    .filter(([text]) => !text.startsWith('--'))
    .map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
}

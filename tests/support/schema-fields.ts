import { z } from 'zod'

type Schema = {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/**
 * Returns all field paths of a schema, such as `data.financing.amount`, and `trades.0` for a list
 * item.
 */
export function fieldPathsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const named = namedIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema)
  return [...new Set(named)]
}

const namedIn = ({ properties = {}, items, anyOf = [], oneOf = [] }: Schema): string[] => [
  ...Object.entries(properties).flatMap(([name, inner]) => [
    name,
    ...namedIn(inner).map((path) => `${name}.${path}`),
  ]),
  ...(items ? ['0', ...namedIn(items).map((path) => `0.${path}`)] : []),
  ...[...anyOf, ...oneOf].flatMap(namedIn),
]

/** Returns a copy with a different value at a path. `undefined` removes the field. */
export function withField(target: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const record = isRecord(target) ? target : {}
  const inner = rest.length === 0 ? value : withField(record[name], rest.join('.'), value)
  return name === '0' ? [inner] : { ...record, [name]: inner }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import { z } from 'zod'
import type { JsonSchema } from './document.ts'
import type { FieldDocs } from './field-docs.ts'
import type { ModuleDocs, SchemaDocs } from './module-docs.ts'

/** Converts zod schemas to JSON Schemas, with those that have a name in `components`. */
export type NamedSchemas = {
  request(schema: z.ZodType): JsonSchema
  response(schema: z.ZodType): JsonSchema
  components(): Record<string, JsonSchema>
}

/**
 * The JSON of a codec is its input on both sides, so `io: 'input'` applies to responses as well. A
 * response has what a request may omit because of a default, and no unknown fields. An object that
 * appears on both sides therefore has two schemas: `Financing` and `FinancingInput`.
 */
export function createNamedSchemas(docs: readonly ModuleDocs[], fields: FieldDocs): NamedSchemas {
  const names = z.registry<{ id: string; description?: string }>()
  const ofFields: Record<string, SchemaDocs['fields']> = {}
  for (const { schemas = {} } of docs)
    for (const [id, given] of Object.entries(schemas)) {
      const { schema, description, fields: own = {} } = 'schema' in given ? given : { schema: given }
      names.add(schema, { id, ...(description && { description }) })
      ofFields[id] = own
    }
  const components: Record<string, JsonSchema> = {}

  /** Copies the schema, because zod repeats one object for all fields of one schema. */
  function finish(schema: JsonSchema, refs: ReadonlyMap<string, string>, own: SchemaDocs['fields'] = {}) {
    const copy = JSON.parse(
      JSON.stringify(schema).replace(
        /"#\/\$defs\/(\w+)"/g,
        (_, name: string) => `"#/components/schemas/${refs.get(name) ?? name}"`,
      ),
    ) as JsonSchema
    for (const [field, docs] of Object.entries(own)) {
      const [description, example] = typeof docs === 'string' ? [docs] : docs
      const property = copy.properties?.[field]
      if (!property) throw new Error(`No schema has a field ${field} that is described`)
      property.description = description
      if (example !== undefined) property.examples = [example]
    }
    describeFields(copy, fields)
    return copy
  }

  function convert(schema: z.ZodType, isResponse: boolean): JsonSchema {
    // Named schemas end up in `$defs` only below the root.
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ root: schema }), {
      io: 'input',
      unrepresentable: 'any',
      metadata: names,
      override: ({ zodSchema, jsonSchema }) => {
        simplify(zodSchema as unknown as z.ZodType, jsonSchema as JsonSchema)
        if (isResponse) closeObject(zodSchema as unknown as z.ZodType, jsonSchema as JsonSchema)
      },
    }) as unknown as { properties: { root: JsonSchema }; $defs?: Record<string, JsonSchema> }
    const suffixed = new Map<string, string>()
    for (const [name, found] of Object.entries($defs)) {
      const isSame = isResponse || !(found.properties || JSON.stringify(found).includes('"$ref"'))
      suffixed.set(name, isSame ? name : `${name}Input`)
    }
    for (const [name, found] of Object.entries($defs)) {
      components[suffixed.get(name) ?? name] = finish(found, suffixed, ofFields[name])
    }
    return finish(properties.root, suffixed)
  }

  return {
    request: (schema) => convert(schema, false),
    response: (schema) => convert(schema, true),
    components: () => Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function simplify(schema: z.ZodType, json: JsonSchema): void {
  // A format says the same as the long pattern beside it.
  if (json.format) delete json.pattern
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  // Lower case is accepted as well, but need not be documented.
  if (schema instanceof z.ZodPipe && schema.out instanceof z.ZodEnum) json.enum = schema.out.options
  nameKeys(json)
}

/** Writes an object with given keys as one with properties. */
function nameKeys(json: JsonSchema): void {
  const { propertyNames, additionalProperties: value } = json
  if (!propertyNames?.enum || typeof value !== 'object') return
  json.properties = Object.fromEntries(propertyNames.enum.map((name) => [String(name), { ...value }]))
  json.additionalProperties = false
  delete json.propertyNames
}

function closeObject(schema: z.ZodType, json: JsonSchema): void {
  if (!(schema instanceof z.ZodObject)) return
  const required = Object.entries(schema.shape).filter(
    ([, field]) => (field as z.ZodType)._zod.optout !== 'optional',
  )
  json.required = required.map(([name]) => name)
  if (!schema.def.catchall) json.additionalProperties = false
}

/** Adds the descriptions that fields of this name have everywhere. */
function describeFields(json: JsonSchema, fields: FieldDocs): void {
  for (const [name, property] of Object.entries(json.properties ?? {})) {
    const [description] = fields[name] ?? []
    if (description !== undefined) property.description ??= description
  }
  for (const part of Object.values(json))
    if (typeof part === 'object' && part !== null)
      for (const inner of [part, ...Object.values(part)])
        if (typeof inner === 'object' && inner !== null) describeFields(inner as JsonSchema, fields)
}

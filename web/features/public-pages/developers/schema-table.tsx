import type { JsonSchema } from '@keyturn/contract/openapi/document.ts'
import { Fragment, type ReactNode } from 'react'
import classes from './developers-page.module.css'
import { developersTexts as texts } from './developers-texts.ts'
import { Prose } from './prose.tsx'

type Row = { name: string; schema: JsonSchema; isRequired: boolean }

/** The fields of an object, those of objects inside it with their path. */
export function SchemaTable({ schema }: { schema: JsonSchema }) {
  const forms = formsOf(schema)
  if (forms.length > 1)
    return forms.map((form, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the forms of a schema have a fixed order
      <Fragment key={at}>
        {at > 0 && <p className={classes.quiet}>{texts.or}</p>}
        <SchemaTable schema={form} />
      </Fragment>
    ))
  const rows = rowsOf(schema)
  if (rows.length === 0)
    return (
      <p>
        <code className={classes.type}>
          <TypeName schema={schema} />
        </code>
      </p>
    )
  return <FieldTable rows={rows} />
}

export const FieldTable = ({ rows }: { rows: readonly Row[] }) => (
  <table className={classes.fields}>
    <thead>
      <tr>
        <th scope="col">{texts.field}</th>
        <th scope="col">{texts.meaning}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, schema, isRequired }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
            <span className={classes.type}>
              <TypeName schema={schema} />
              {isRequired ? '' : `, ${texts.optional}`}
            </span>
          </th>
          <td>
            <Prose text={schema.description ?? ''} />
            {limitsOf(schema)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** Forms of an object, one of which applies. */
const formsOf = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] =>
  (anyOf ?? oneOf ?? []).filter((form) => form.properties || form.$ref)

function rowsOf(schema: JsonSchema, prefix = ''): Row[] {
  const target = schema.items ?? schema
  const { properties = {}, required = [] } = target
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const inner = innerOf(field)
    return [
      { name: path, schema: field, isRequired: required.includes(name) },
      ...(inner ? rowsOf(inner, `${path}.`) : []),
    ]
  })
}

/** The object in a field, which may be null, missing or a list. */
function innerOf(field: JsonSchema): JsonSchema | undefined {
  if (field.properties) return field
  if (field.items?.properties) return field.items
  const objects = (field.anyOf ?? []).filter((form) => form.properties)
  return objects.length === 1 ? objects[0] : undefined
}

function TypeName({ schema }: { schema: JsonSchema }): ReactNode {
  const { $ref, anyOf, oneOf, allOf, items, enum: choice, const: only, type, format } = schema
  if ($ref) return <SchemaLink reference={$ref} />
  const forms = anyOf ?? oneOf ?? allOf
  if (forms) return <Alternatives forms={forms} />
  if (only !== undefined) return JSON.stringify(only)
  if (choice) return choice.map(String).join(' | ')
  if (items)
    return (
      <>
        {texts.listOf} <TypeName schema={items} />
      </>
    )
  const name = Array.isArray(type) ? type.join(' | ') : type
  return format ? `${name} (${format})` : (name ?? texts.any)
}

const Alternatives = ({ forms }: { forms: readonly JsonSchema[] }) =>
  forms.map((form, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the forms of a schema have a fixed order
    <Fragment key={at}>
      {at > 0 && ' | '}
      <TypeName schema={form} />
    </Fragment>
  ))

const SchemaLink = ({ reference }: { reference: string }) => {
  const name = reference.split('/').at(-1) ?? ''
  return <a href={`#schema-${name}`}>{name}</a>
}

function limitsOf({ default: standard, minimum, maximum, minLength, maxLength, maxItems }: JsonSchema) {
  const range =
    minimum !== undefined && maximum !== undefined ? `${count(minimum)} to ${count(maximum)}.` : ''
  const items = maxItems === undefined ? '' : `At most ${count(maxItems)}.`
  const usual =
    standard === undefined || standard === null ? '' : `${texts.byDefault}: ${JSON.stringify(standard)}.`
  return [range, lengthOf(minLength, maxLength), items, usual]
    .filter(Boolean)
    .map((sentence) => ` ${sentence}`)
    .join('')
}

function lengthOf(min = 0, max?: number): string {
  if (max === undefined) return ''
  return min > 1 ? `${count(min)} to ${count(max)} characters.` : `At most ${count(max)} characters.`
}

/** Years have no separator. */
const count = (value: number): string => (value < 10_000 ? String(value) : value.toLocaleString('en-US'))

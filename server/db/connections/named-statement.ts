import type { Duplex } from 'node:stream'
import pg from 'pg'
import utils from 'pg/lib/utils.js'

// The driver has the columns of an answer described with each question, also where a connection has prepared the statement: of one
// small row that took both sides longer than the row itself. PostgreSQL lets no named statement change its columns, so once is enough.

/** A question as the driver takes it, with a name. */
type NamedQuestion = Pick<pg.QueryConfig, 'text' | 'values' | 'types'> & {
  name: string
  rowMode?: string
  query_timeout?: number
}
type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>
type Callback = (error: Error | null, answer?: Answer) => void

/** What the driver's types leave out. */
type Wire = {
  stream: Duplex
  parsedStatements: Record<string, string>
  parse(about: { name: string; text: string }): void
  bind(about: { statement: string; values: unknown[] }): void
  describe(about: { type: 'P' }): void
  execute(): void
  sync(): void
}

type Columns = { names: string[]; readers: ((text: string) => unknown)[] }
const columnsOf = new WeakMap<Wire, Map<string, Columns>>()

/** Has this connection's named statements described once each. */
export function describedOnce<Client extends pg.Client>(client: Client): Client {
  // Looked up each time: whoever traces or counts statements replaces it.
  const query = (...given: unknown[]) => pg.Client.prototype.query.apply(client, given as never) as unknown
  const ask = (question: unknown, ...more: unknown[]) => {
    if (!isNamed(question)) return query(question, ...more)
    const values = more.find(Array.isArray) ?? question.values ?? []
    const callback = more.at(-1)
    if (typeof callback === 'function') return query(new NamedStatement(question, values), callback)
    return new Promise((resolve, reject) => {
      const answered: Callback = (error, answer) => (error ? reject(error) : resolve(answer))
      query(new NamedStatement(question, values), answered)
    }).catch((error: Error) => {
      // From here on it says who asked, not where the answer was read.
      Error.captureStackTrace(error)
      throw error
    })
  }
  client.query = ask as pg.Client['query']
  return client
}

export const isNamed = (question: unknown): question is NamedQuestion =>
  typeof question === 'object' &&
  question !== null &&
  'name' in question &&
  Boolean(question.name) &&
  !('submit' in question)

/** One question, as the driver's own `Query` asks it but for the description. The driver calls what is public here. */
class NamedStatement implements pg.Submittable {
  readonly name: string
  readonly text: string
  readonly query_timeout: number | undefined
  /** Set by the driver. */
  callback: Callback | undefined
  private readonly values: unknown[]
  private readonly asArrays: boolean
  private readonly types: Pick<pg.CustomTypesConfig, 'getTypeParser'>
  private columns: Columns | undefined
  private readonly answer: Answer = { command: '', rowCount: null, rows: [] }
  private fault: Error | null = null

  constructor({ name, text, types, rowMode, query_timeout }: NamedQuestion, values: unknown[]) {
    this.name = name
    this.text = text
    this.query_timeout = query_timeout
    this.values = values
    this.types = types ?? pg.types
    this.asArrays = rowMode === 'array'
  }

  submit(connection: unknown): Error | undefined {
    const wire = connection as Wire
    const { name, text } = this
    const values = this.written()
    if (values instanceof Error) return values
    const prepared = wire.parsedStatements[name]
    if (prepared !== undefined && prepared !== text) return new Error(`Two statements are called ${name}`)
    this.columns = columnsOf.get(wire)?.get(name)
    // One packet instead of five.
    wire.stream.cork()
    if (prepared === undefined) wire.parse({ name, text })
    wire.bind({ statement: name, values })
    if (!this.columns) wire.describe({ type: 'P' })
    wire.execute()
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.columns = {
      names: fields.map(({ name }) => name),
      readers: fields.map(({ dataTypeID }) => this.types.getTypeParser(dataTypeID, 'text')),
    }
  }

  handleDataRow({ fields: texts }: { fields: (string | null)[] }): void {
    if (this.fault) return
    try {
      this.answer.rows.push(this.read(texts))
    } catch (error) {
      this.fault = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [command = '', ...more] = text.split(' ')
    this.answer.command = command
    const count = Number(more.at(-1))
    this.answer.rowCount = Number.isNaN(count) ? null : count
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(connection: unknown): void {
    if (this.fault) {
      this.callback?.(this.fault)
      return
    }
    const wire = connection as Wire
    const known = columnsOf.get(wire) ?? new Map<string, Columns>()
    columnsOf.set(wire, known.set(this.name, this.columns ?? noColumns))
    this.callback?.(null, this.answer)
  }

  handleError(error: Error): void {
    this.callback?.(error)
  }

  private written(): (string | Buffer | null)[] | Error {
    try {
      return this.values.map(utils.prepareValue)
    } catch (error) {
      return error as Error
    }
  }

  private read(texts: (string | null)[]): unknown {
    const { names, readers } = this.columns ?? noColumns
    const values = texts.map((text, at) => (text === null ? null : readers[at]?.(text)))
    return this.asArrays ? values : Object.fromEntries(values.map((value, at) => [names[at], value]))
  }
}

const noColumns: Columns = { names: [], readers: [] }

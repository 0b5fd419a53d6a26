import type { Duplex } from 'node:stream'
import pg from 'pg'
import utils from 'pg/lib/utils.js'

// The driver has the columns of an answer described with each question, also where a connection has prepared the statement: of one
// small row that took both sides longer than the row itself. PostgreSQL lets no named statement change its columns, so once is enough.

/** A question as the driver takes it, with a name. */
export type NamedQuestion = Pick<pg.QueryConfig, 'text' | 'values' | 'types'> & {
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

/** What is asked ahead of a connection's next question; those through a pooler are not here. */
const aheadOf = new WeakMap<pg.ClientBase, NamedQuestion[]>()

/** Has this connection's named statements described once each. */
export function describedOnce<Client extends pg.Client>(client: Client): Client {
  aheadOf.set(client, [])
  // Looked up each time: whoever traces or counts statements replaces it.
  const query = (...given: unknown[]) => pg.Client.prototype.query.apply(client, given as never) as unknown
  const send = (parts: Part[]) =>
    new Promise((resolve, reject) => {
      const answered: Callback = (error, answer) => (error ? reject(error) : resolve(answer))
      query(new NamedStatements(parts), answered)
    })
  const ask = (question: unknown, ...more: unknown[]) => {
    const ahead = takeAhead(client).map((one) => new Part(one, one.values ?? []))
    const callback = more.at(-1)
    if (!isNamed(question)) {
      if (ahead.length === 0) return query(question, ...more)
      const afterwards = () => query(question, ...more)
      return send(ahead).then(afterwards, typeof callback === 'function' ? (callback as Callback) : undefined)
    }
    const parts = [...ahead, new Part(question, more.find(Array.isArray) ?? question.values ?? [])]
    if (typeof callback === 'function') return query(new NamedStatements(parts), callback)
    return send(parts).catch((error: Error) => {
      // From here on it says who asked, not where the answer was read.
      Error.captureStackTrace(error)
      throw error
    })
  }
  client.query = ask as pg.Client['query']
  return client
}

/**
 * Asks these ahead of the connection's next question, in one round trip with it where that is a named statement: what fails stops what
 * was sent behind it, and is the fault of that question. A connection through a pooler asks them one by one.
 */
export async function askAhead(client: pg.ClientBase, questions: NamedQuestion[]): Promise<void> {
  const ahead = aheadOf.get(client)
  if (ahead) ahead.push(...questions)
  else for (const question of questions) await client.query(question)
}

/** What was to be asked ahead and has not been asked yet; now it is not. */
export function takeAhead(client: pg.ClientBase): NamedQuestion[] {
  return aheadOf.get(client)?.splice(0) ?? []
}

export const isNamed = (question: unknown): question is NamedQuestion =>
  typeof question === 'object' &&
  question !== null &&
  'name' in question &&
  Boolean(question.name) &&
  !('submit' in question)

/** One question of those that are asked together. */
class Part {
  readonly name: string
  readonly text: string
  readonly query_timeout: number | undefined
  readonly answer: Answer = { command: '', rowCount: null, rows: [] }
  columns: Columns | undefined
  readonly values: unknown[]
  private readonly asArrays: boolean
  private readonly types: Pick<pg.CustomTypesConfig, 'getTypeParser'>

  constructor({ name, text, types, rowMode, query_timeout }: NamedQuestion, values: unknown[]) {
    this.name = name
    this.text = text
    this.query_timeout = query_timeout
    this.values = values
    this.types = types ?? pg.types
    this.asArrays = rowMode === 'array'
  }

  written(): (string | Buffer | null)[] {
    return this.values.map(utils.prepareValue)
  }

  describe(fields: pg.FieldDef[]): void {
    this.columns = {
      names: fields.map(({ name }) => name),
      readers: fields.map(({ dataTypeID }) => this.types.getTypeParser(dataTypeID, 'text')),
    }
  }

  read(texts: (string | null)[]): void {
    const { names, readers } = this.columns ?? noColumns
    const values = texts.map((text, at) => (text === null ? null : readers[at]?.(text)))
    this.answer.rows.push(
      this.asArrays ? values : Object.fromEntries(values.map((value, at) => [names[at], value])),
    )
  }

  complete(text: string): void {
    const [command = '', ...more] = text.split(' ')
    this.answer.command = command
    const count = Number(more.at(-1))
    this.answer.rowCount = Number.isNaN(count) ? null : count
  }
}

/**
 * One question or several in one round trip, as the driver's own `Query` asks one but for the description; the answer is that of the last.
 * The driver calls what is public here.
 */
class NamedStatements implements pg.Submittable {
  readonly query_timeout: number | undefined
  /** Set by the driver. */
  callback: Callback | undefined
  readonly parts: Part[]
  /** Which of them PostgreSQL answers now. */
  private at = 0
  private fault: Error | null = null

  constructor(parts: Part[]) {
    this.parts = parts
    this.query_timeout = this.last.query_timeout
  }

  /** What the driver notes as prepared. */
  get name(): string {
    return this.present.name
  }

  get text(): string {
    return this.present.text
  }

  submit(connection: unknown): Error | undefined {
    const wire = connection as Wire
    let written: (string | Buffer | null)[][]
    try {
      written = this.parts.map((part) => part.written())
    } catch (error) {
      return error as Error
    }
    const other = this.parts.find(({ name, text }) => (wire.parsedStatements[name] ?? text) !== text)
    if (other) return new Error(`Two statements are called ${other.name}`)
    // One packet instead of five for each.
    wire.stream.cork()
    this.parts.forEach((part, at) => {
      const { name, text } = part
      part.columns = columnsOf.get(wire)?.get(name)
      if (wire.parsedStatements[name] === undefined) wire.parse({ name, text })
      wire.bind({ statement: name, values: written[at] ?? [] })
      if (!part.columns) wire.describe({ type: 'P' })
      wire.execute()
    })
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.present.describe(fields)
  }

  handleDataRow({ fields: texts }: { fields: (string | null)[] }): void {
    if (this.fault) return
    try {
      this.present.read(texts)
    } catch (error) {
      this.fault = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.present.complete(text)
    this.at += 1
  }

  handleEmptyQuery(): void {
    this.at += 1
  }

  handleReadyForQuery(connection: unknown): void {
    if (this.fault) {
      this.callback?.(this.fault)
      return
    }
    const wire = connection as Wire
    const known = columnsOf.get(wire) ?? new Map<string, Columns>()
    columnsOf.set(wire, known)
    for (const { name, columns } of this.parts) known.set(name, columns ?? noColumns)
    this.callback?.(null, this.last.answer)
  }

  handleError(error: Error): void {
    this.callback?.(error)
  }

  private get present(): Part {
    return this.parts[this.at] ?? this.last
  }

  private get last(): Part {
    return this.parts.at(-1) as Part
  }
}

const noColumns: Columns = { names: [], readers: [] }

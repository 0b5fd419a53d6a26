import type { Config } from '../../config.ts'
import { type Limits, openQueue } from '../../platform/workers/queue.ts'
import { openThread, type ThreadOptions, workerBeside } from '../../platform/workers/thread.ts'
import type { SignedPaper } from './agreement-pdf.ts'
import type { Appendix } from './certificate.ts'
import { sealSourceOf } from './seal/seal-source.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type Paper = { signed: SignedPaper; appendix: Appendix }
/** The paper as a file, and whose seal it has. */
export type Printed = { bytes: Bytes; certificate: Bytes }
type AgreementPrinter = {
  /** Refuses `Unavailable` when it cannot draw in time, and `TooManyRequests` when this reader waits for others already. */
  print(paper: Paper, reader: string): Promise<Printed>
  /** As long as somebody waits who has to be told in time. */
  askersWaitMs: number
  close(): Promise<void>
}

/**
 * Draws and seals signed agreements in a thread of its own: the tenth of a second that one takes would hold up everyone, and the
 * drawing packages stay out of a process where nobody asks for a paper.
 */
export function openPrinter(
  config: Config,
  {
    onFault,
    script = usualScript,
    findKey = async () => {},
    askersWaitMs = usualAskersWaitMs,
    ...more
  }: Options,
): AgreementPrinter {
  const given = sealSourceOf(config)
  const doer = openThread<Paper, Printed>({ name: 'Printer', script, given, onFault })
  const queue = openQueue({ name: 'Drawing', doer, limits: { ...printerLimits, ...more }, onFault })
  let found: Promise<void> | null = null
  return {
    async print(...asked) {
      found ??= findKey().catch((fault) => {
        found = null
        throw fault
      })
      await found
      return queue.ask(...asked)
    },
    askersWaitMs,
    close: queue.close,
  }
}

type Options = Partial<Limits> &
  Pick<ThreadOptions, 'onFault'> & {
    script?: URL
    /** Puts the seal's key into the data folder, before the first paper. */
    findKey?: () => Promise<void>
    askersWaitMs?: number
  }

/** Less than a page of the app or a dealer's system waits for any answer. */
export const usualAskersWaitMs = 19_000

export const printerLimits = {
  places: 1,
  // What is drawn in time on a slow machine; more would only wait to be refused.
  waitingAtMost: 15,
  // A person reads one paper at a time, now and then in two tabs; nobody may take every place.
  ofOneAsker: 2,
  // A busy machine is given time, a hanging thread is not. Who looks at a page is told before (`signedPdfOf`); a job draws and
  // then sends, all of it before another process may take it.
  waitAtMostMs: 80_000,
  answerWithinMs: 17_000,
} as const satisfies Limits

const usualScript = workerBeside(import.meta.url, 'agreement-pdf-worker')

import type { Config } from '../../config.ts'
import { type Limits, openQueue } from '../../workers/queue.ts'
import { openThread, type ThreadOptions, workerBeside } from '../../workers/thread.ts'
import { sealSourceOf } from '../seal/seal-source.ts'
import type { SignedPaper } from './agreement-pdf.ts'
import type { Appendix } from './certificate.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type Paper = { signed: SignedPaper; appendix: Appendix }
/** The paper as a file, and whose seal it has. */
export type Printed = { bytes: Bytes; certificate: Bytes }
type AgreementPrinter = {
  /**
   * Refuses `Unavailable` when it cannot draw in time, and `TooManyRequests` when this reader waits for others already.
   * `waitAtMostMs`: for its turn, where nobody looks at a page meanwhile.
   */
  print(paper: Paper, reader: string, waitAtMostMs?: number): Promise<Printed>
  close(): Promise<void>
}

/**
 * Draws and seals signed agreements in a thread of its own: the third of a second that one takes would hold up everyone, and the
 * drawing packages stay out of a process where nobody asks for a paper.
 */
export function openPrinter(
  config: Config,
  { onFault, script = usualScript, findKey = async () => {}, ...more }: Options,
): AgreementPrinter {
  const given = sealSourceOf(config)
  const doer = openThread<Paper, Printed>({ name: 'Printer', script, given, onFault })
  const queue = openQueue({ name: 'Drawing', doer, limits: { ...usual, ...more }, onFault })
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
    close: queue.close,
  }
}

type Options = Partial<Limits> &
  Pick<ThreadOptions, 'onFault'> & {
    script?: URL
    /** Puts the seal's key into the data folder, before the first paper. */
    findKey?: () => Promise<void>
  }

const usual: Limits = {
  places: 1,
  // What is drawn in time on a slow machine; more would only wait to be refused.
  waitingAtMost: 15,
  // A person reads one paper at a time, now and then in two tabs; nobody may take every place.
  ofOneAsker: 2,
  // Together just less than a page waits for any answer. A busy machine is given time, a hanging thread is not.
  waitAtMostMs: 12_000,
  answerWithinMs: 17_000,
}

const usualScript = workerBeside(import.meta.url, 'agreement-pdf-worker')

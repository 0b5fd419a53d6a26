import { type Limits, openQueue } from '../../workers/queue.ts'
import { openThread, type ThreadOptions, workerBeside } from '../../workers/thread.ts'
import type { SignedPaper } from './agreement-pdf.ts'

type Bytes = Uint8Array<ArrayBuffer>
type AgreementPrinter = {
  /** Refuses `Unavailable` when it cannot draw in time, and `TooManyRequests` when this reader waits for others already. */
  print(paper: SignedPaper, reader: string): Promise<Bytes>
  close(): Promise<void>
}

/**
 * Draws signed agreements in a thread of its own: the third of a second that one takes would hold up everyone, and the
 * drawing packages stay out of a process where nobody asks for a paper.
 */
export function openPrinter({ onFault, script = usualScript, ...more }: Options): AgreementPrinter {
  const doer = openThread<SignedPaper, Bytes>({ name: 'Printer', script, onFault })
  const queue = openQueue({ name: 'Drawing', doer, limits: { ...usual, ...more }, onFault })
  return { print: queue.ask, close: queue.close }
}

type Options = Partial<Limits> & Pick<ThreadOptions, 'onFault'> & { script?: URL }

const usual: Limits = {
  places: 1,
  // What is drawn in time on a slow machine; more would only wait to be refused.
  waitingAtMost: 15,
  // A person reads one paper at a time, now and then in two tabs; nobody may take every place.
  ofOneAsker: 2,
  // Together just less than a page waits for any answer. A busy machine is given time, a hanging thread is not.
  waitAtMostMs: 19_000,
  answerWithinMs: 10_000,
}

const usualScript = workerBeside(import.meta.url, 'agreement-pdf-worker')

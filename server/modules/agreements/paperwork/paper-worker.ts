import { parentPort } from 'node:worker_threads'
import { drawDraft } from '../pdf/agreement-pdf.ts'
import { drawPaper } from './paper-pdf.ts'
import type { DraftJob } from './paper-printer.ts'

/** Posts 'ready', then the bytes of each paper. An error ends the thread, and its owner restarts it. */
parentPort?.on('message', async (job: DraftJob) => {
  const drawn = await ('draft' in job ? drawDraft(job.draft) : drawPaper(job))
  parentPort?.postMessage(new Uint8Array(drawn))
})
parentPort?.postMessage('ready')

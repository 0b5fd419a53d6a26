import { parentPort } from 'node:worker_threads'
import { drawPaper, type PrintedPaper } from './paper-pdf.ts'

/**
 * Reports when it is ready, then renders one paper per message. Any error ends the thread, and its
 * owner starts another.
 */
parentPort?.on('message', async (paper: PrintedPaper) =>
  parentPort?.postMessage(new Uint8Array(await drawPaper(paper))),
)
parentPort?.postMessage('ready')

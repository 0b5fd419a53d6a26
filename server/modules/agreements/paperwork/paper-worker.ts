import { parentPort } from 'node:worker_threads'
import { drawPaper, type PaperToPrint } from './paper-pdf.ts'

/** Posts 'ready', then the bytes of each paper. An error ends the thread, and its owner restarts it. */
parentPort?.on('message', async (paper: PaperToPrint) =>
  parentPort?.postMessage(new Uint8Array(await drawPaper(paper))),
)
parentPort?.postMessage('ready')

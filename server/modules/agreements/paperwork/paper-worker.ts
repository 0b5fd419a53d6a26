import { parentPort } from 'node:worker_threads'
import { drawPaper, type PrintedPaper } from './paper-pdf.ts'

/** Says when it is ready; then one paper in, its bytes out. Whatever goes wrong ends the thread: its owner starts another. */
parentPort?.on('message', async (paper: PrintedPaper) =>
  parentPort?.postMessage(new Uint8Array(await drawPaper(paper))),
)
parentPort?.postMessage('ready')

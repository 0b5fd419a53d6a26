import { parentPort } from 'node:worker_threads'
import { drawFlyer, type Flyer } from './flyer-pdf.ts'

/** Posts 'ready', then each flyer. An error ends the thread, and its owner restarts it. */
parentPort?.on('message', async (flyer: Flyer) =>
  parentPort?.postMessage(new Uint8Array(await drawFlyer(flyer))),
)
parentPort?.postMessage('ready')

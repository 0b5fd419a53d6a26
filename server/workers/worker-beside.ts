import { Worker } from 'node:worker_threads'

/** The file of a thread, beside the one that starts it: as source in development and tests, as an entry in the bundle. */
export const workerBeside = (from: string, name: string): URL =>
  new URL(`./${name}${isSource(from) ? '.ts' : '.js'}`, from)

/** Nothing of the environment goes along: a thread gets what it works on by message. */
export const startWorker = (name: string, script: URL): Worker =>
  new Worker(script, { name, execArgv: loaderFor(script), env: {} })

function isSource(url: string | URL): boolean {
  return new URL(url).pathname.endsWith('.ts')
}

/** Node 20 reads no TypeScript, and tsx by itself takes on the main thread only: a worker has to ask for it. */
function loaderFor(script: URL): string[] {
  if (!isSource(script)) return []
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return ['--import', `data:text/javascript,${encodeURIComponent(`import{register}from${tsx};register()`)}`]
}

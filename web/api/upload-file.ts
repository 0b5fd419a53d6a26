import { buildUrl } from '@keyturn/contract/shared/build-url.ts'
import type { Endpoint, EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { offlineError, readError, unreadableError } from './errors.ts'
import { fetchSignedIn, type RequestOf, requestHeaders } from './send.ts'

type UploadOptions = {
  signal: AbortSignal
  /** Receives the fraction of the body that was sent, from 0 to 1. */
  onProgress: (share: number) => void
}

/** Uploads a file. `fetch` cannot report upload progress; XMLHttpRequest can. */
export async function uploadFile<C extends Endpoint>(
  call: C,
  { params, query }: Pick<RequestOf<C>, 'params' | 'query'>,
  file: Blob,
  uploading: UploadOptions,
): Promise<EndpointOutput<C>> {
  const address = buildUrl(call.path, params, query)
  const response = await fetchSignedIn(call, () => postFile(call, address, file, uploading))
  if (!response.ok) throw await readError(response)
  const answer = call.response.safeDecode(await response.json().catch(() => null))
  if (!answer.success) throw unreadableError(response.status)
  return answer.data as EndpointOutput<C>
}

/**
 * Aborts after this long without progress. The whole upload has no limit, because a large photo may
 * take long.
 */
const stallTimeoutMs = 20_000
/** Time for the server to process the image, including the time in the queue. */
const processingTimeoutMs = 90_000

function postFile(
  call: Endpoint,
  address: string,
  file: Blob,
  { signal, onProgress }: UploadOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout>
    const wait = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), ms)
    }
    const stop = () => request.abort()
    request.open(call.method, address)
    for (const [name, value] of Object.entries({ ...requestHeaders(), 'Content-Type': file.type }))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => {
      wait(stallTimeoutMs)
      onProgress(total > 0 ? loaded / total : 0)
    }
    request.upload.onload = () => wait(processingTimeoutMs)
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(offlineError())
    request.onabort = () => reject(signal.aborted ? signal.reason : offlineError())
    request.onloadend = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', stop)
    wait(stallTimeoutMs)
    request.send(file)
  })
}

const responseOf = (request: XMLHttpRequest): Response =>
  new Response(request.responseText, {
    status: request.status,
    headers: { 'retry-after': request.getResponseHeader('retry-after') ?? '' },
  })

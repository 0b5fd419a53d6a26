import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/**
 * Starts an object store with these buckets, which can be restarted at the same address with its
 * data.
 */
export async function startObjectStore(...buckets: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'keyturn-s3-'))
  const configureBuckets = buckets.map((name) => ({ name }))
  const openAt = async (port: number) => {
    const server = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets })
    return { server, port: (await server.run()).port }
  }
  let { server, port } = await openAt(0)
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stop: () => server.close(),
    async restart() {
      server = (await openAt(port)).server
    },
    async close() {
      await server.close().catch(() => {})
      rmSync(directory, { recursive: true })
    },
  }
}

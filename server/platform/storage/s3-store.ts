import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { photoFormats } from '@keyturn/contract/shared/photo-files.ts'
import type { PictureStore } from './picture-store.ts'

export type S3Config = {
  /** Null for AWS. */
  endpoint: URL | null
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Stores pictures in a shared S3-compatible store. The SDK is loaded on first use. */
export function openS3Store(config: S3Config): PictureStore & { close(): Promise<void> } {
  let loading: Promise<S3> | undefined
  const s3 = () => {
    loading ??= openS3(config)
    return loading
  }
  const at = (id: string, name: string) => ({ Bucket: config.bucket, Key: `photos/${id}/${name}` })
  return {
    put: async (id, folder) => {
      const { client, PutObjectCommand } = await s3()
      // A partial picture is never visible, because references are stored only after this succeeds.
      await Promise.all(
        (await readdir(folder)).map(async (name) =>
          client.send(
            new PutObjectCommand({
              ...at(id, name),
              Body: await readFile(join(folder, name)),
              ContentType: photoFormats[extname(name).slice(1) as keyof typeof photoFormats],
              CacheControl: 'public, max-age=31536000, immutable',
            }),
          ),
        ),
      )
    },
    add: async (id, name, bytes) => {
      const { client, PutObjectCommand } = await s3()
      await client.send(new PutObjectCommand({ ...at(id, name), Body: bytes }))
    },
    open: async (id, name) => {
      const { client, GetObjectCommand } = await s3()
      try {
        const { Body, ContentLength } = await client.send(new GetObjectCommand(at(id, name)))
        return { bytes: Body as Readable, size: ContentLength ?? 0 }
      } catch (error) {
        if ((error as { name?: string }).name === 'NoSuchKey') return null
        throw error
      }
    },
    drop: async (id, names) => {
      const { client, DeleteObjectCommand } = await s3()
      await Promise.all(names.map((name) => client.send(new DeleteObjectCommand(at(id, name)))))
    },
    close: async () => (await loading)?.client.destroy(),
  }
}

type S3 = Awaited<ReturnType<typeof openS3>>

async function openS3({ endpoint, region, accessKeyId, secretAccessKey }: S3Config) {
  const { S3Client, PutObjectCommand, GetObjectCommand, DeleteObjectCommand } = await import(
    '@aws-sdk/client-s3'
  )
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint ? { endpoint: endpoint.href, forcePathStyle: true } : {}),
    // Some S3-compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000, socketTimeout: 10_000 },
  })
  return { client, PutObjectCommand, GetObjectCommand, DeleteObjectCommand }
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { photoFormats } from '@keyturn/contract/shared/photo-files.ts'
import type { DocumentStore } from './document-store.ts'
import type { PictureStore } from './picture-store.ts'

export type S3Config = {
  /** Null for AWS. */
  endpoint: URL | null
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

type S3Store = { pictures: PictureStore; documents: DocumentStore; close(): Promise<void> }

/** Stores files in a shared S3-compatible store. The SDK is loaded on first use. */
export function openS3Store(config: S3Config): S3Store {
  let loading: Promise<S3> | undefined
  const s3 = () => {
    loading ??= openS3(config)
    return loading
  }
  const at = (id: string, name: string) => ({ Bucket: config.bucket, Key: `photos/${id}/${name}` })
  const pictures: PictureStore = {
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
        return nullIfNoKey(error)
      }
    },
    drop: async (id, names) => {
      const { client, DeleteObjectCommand } = await s3()
      await Promise.all(names.map((name) => client.send(new DeleteObjectCommand(at(id, name)))))
    },
  }
  return {
    pictures,
    documents: openDocuments(s3, config.bucket),
    close: async () => (await loading)?.client.destroy(),
  }
}

/** The store checks the checksum of an upload, so that a damaged one is never stored. */
function openDocuments(s3: () => Promise<S3>, bucket: string): DocumentStore {
  const at = (digest: string) => ({ Bucket: bucket, Key: `documents/${digest}` })
  return {
    put: async (digest, bytes) => {
      const { client, PutObjectCommand } = await s3()
      const ContentMD5 = createHash('md5').update(bytes).digest('base64')
      await client.send(
        new PutObjectCommand({ ...at(digest), Body: bytes, ContentType: 'application/pdf', ContentMD5 }),
      )
    },
    open: async (digest) => {
      const { client, GetObjectCommand } = await s3()
      try {
        return (await client.send(new GetObjectCommand(at(digest)))).Body as Readable
      } catch (error) {
        return nullIfNoKey(error)
      }
    },
    drop: async (digest) => {
      const { client, DeleteObjectCommand } = await s3()
      await client.send(new DeleteObjectCommand(at(digest)))
    },
  }
}

function nullIfNoKey(error: unknown): null {
  if ((error as { name?: string }).name === 'NoSuchKey') return null
  throw error
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

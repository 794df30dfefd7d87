import { fileURLToPath } from 'node:url'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { makeTemporaryFolder } from '../../__tests__/support/temporary-folder.ts'
import { startProgram } from './program.ts'
import { howToGetStores, type StoredObject } from './stored.ts'

export interface S3Store extends AsyncDisposable {
  origin: string
  keep(key: string, object: StoredObject): Promise<void>
  /** Returns a link that is valid for a minute. The signature includes the host of `through`. */
  link(key: string, through?: string): Promise<string>
  /** Returns a link that expired a minute ago. */
  expiredLink(key: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

const s3rver = fileURLToPath(new URL('../node_modules/s3rver/bin/s3rver.js', import.meta.url))
const bucket = 'kept'

/** Starts s3rver with one bucket. */
export async function openS3(): Promise<S3Store> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await makeTemporaryFolder())
  const program = resources.use(
    await startProgram({
      command: process.execPath,
      args: [s3rver, '-d', folder.path, '-p', '0', '--configure-bucket', bucket],
      ready: /listening on 127\.0\.0\.1:(\d+)/,
      howToGet: howToGetStores,
    }),
  )
  const origin = `http://127.0.0.1:${program.ready[1] ?? ''}`
  const client = resources.adopt(clientOf(origin), (used) => used.destroy())
  const opened = resources.move()
  return {
    origin,
    async keep(Key, { body: Body, contentType: ContentType, contentEncoding: ContentEncoding }) {
      const object = { Bucket: bucket, Key, Body, ContentType, ContentEncoding }
      await client.send(new PutObjectCommand(object))
    },
    link: (key, through = origin) => sign(through, key, { expiresIn: 60 }),
    expiredLink(key) {
      return sign(origin, key, { expiresIn: 1, signingDate: new Date(Date.now() - 61_000) })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function clientOf(endpoint: string): S3Client {
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    // s3rver has only this account.
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    // The SDK sends checksum trailers by default, which s3rver does not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

async function sign(
  origin: string,
  Key: string,
  validity: { expiresIn: number; signingDate?: Date },
): Promise<string> {
  const client = clientOf(origin)
  try {
    return await getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key }), validity)
  } finally {
    client.destroy()
  }
}

import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import {
  BlobSASPermissions,
  BlobServiceClient,
  StorageSharedKeyCredential,
  type ContainerClient,
} from '@azure/storage-blob'
import type { Certificate } from './certificate.ts'
import { startProgram, type Program } from './program.ts'
import { howToGetStores, type StoredObject } from './stored.ts'

export interface AzureStore extends AsyncDisposable {
  origin: string
  keep(name: string, object: StoredObject): Promise<void>
  /** Returns a link with a shared access signature. The link is valid for a minute. */
  link(name: string): Promise<string>
  /** Returns a link whose signature expired a minute ago. */
  expiredLink(name: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

const azurite = fileURLToPath(
  new URL('../node_modules/azurite/dist/src/blob/main.js', import.meta.url),
)
const account = 'account'

/** Starts Azurite in memory with one container. Uses https if there is a certificate. */
export async function openAzure(certificate?: Certificate): Promise<AzureStore> {
  const key = randomBytes(32).toString('base64')
  const program = await startAzurite(key, certificate)
  const origin = program.ready[1] ?? ''
  const credential = new StorageSharedKeyCredential(account, key)
  const container = new BlobServiceClient(`${origin}/${account}`, credential).getContainerClient(
    'kept',
  )
  await container.create()
  return {
    origin,
    async keep(name, { body, contentType, contentEncoding }) {
      const blobHTTPHeaders = {
        blobContentType: contentType,
        ...(contentEncoding && { blobContentEncoding: contentEncoding }),
      }
      await container.getBlockBlobClient(name).uploadData(body, { blobHTTPHeaders })
    },
    link: (name) => sign(container, name, 60_000),
    expiredLink: (name) => sign(container, name, -60_000),
    [Symbol.asyncDispose]: async () => program[Symbol.asyncDispose](),
  }
}

function startAzurite(key: string, certificate?: Certificate): Promise<Program> {
  const options = '--blobPort 0 --inMemoryPersistence --disableTelemetry --skipApiVersionCheck'
  const tls = certificate ? ['--cert', certificate.certFile, '--key', certificate.keyFile] : []
  return startProgram({
    command: process.execPath,
    args: [azurite, ...options.split(' '), ...tls],
    env: { AZURITE_ACCOUNTS: `${account}:${key}` },
    ready: /successfully listen\w* (?:at|on) (https?:\/\/127\.0\.0\.1:\d+)/,
    howToGet: howToGetStores,
  })
}

/** Returns a link that is valid for `validity` milliseconds from now. */
function sign(container: ContainerClient, name: string, validity: number): Promise<string> {
  return container.getBlobClient(name).generateSasUrl({
    permissions: BlobSASPermissions.parse('r'),
    startsOn: new Date(Date.now() - 120_000),
    expiresOn: new Date(Date.now() + validity),
  })
}

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/** PEM files and their contents. */
export interface Certificate {
  keyFile: string
  certFile: string
  key: string
  cert: string
}

/** Makes a certificate for these addresses. Only tests trust it. It expires after two days. */
export async function makeCertificate(folder: string, addresses: string[]): Promise<Certificate> {
  const keyFile = path.join(folder, 'key.pem')
  const certFile = path.join(folder, 'cert.pem')
  const names = addresses.map((address) => `IP:${address}`).join(',')
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 2'
  const subject = ['-subj', '/CN=real', '-addext', `subjectAltName=${names}`]
  const files = ['-keyout', keyFile, '-out', certFile]
  await promisify(execFile)('openssl', [...request.split(' '), ...subject, ...files])
  const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')])
  return { keyFile, certFile, key, cert }
}

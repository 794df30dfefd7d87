import { expect, it } from '@jest/globals'
import { isSecure } from '../../../src/service/addresses.ts'

it.each([
  'https://service.example',
  'http://localhost:8080',
  'http://127.0.0.1',
  'http://127.10.200.30:99',
  'http://[::1]:8080',
  'http://LOCALHOST',
  'http://0x7f.1',
])('credentials may be sent to %s', (address) => {
  expect(isSecure(new URL(address))).toBe(true)
})

it.each([
  'http://service.example',
  'http://10.127.0.1',
  'http://0.0.0.0',
  'http://[::ffff:127.0.0.1]',
  'http://localhost.example',
  'http://xlocalhost',
  'http://127.0.0.1.example',
  'http://x.127.0.0.1x',
  'http://128.0.0.1',
  'http://[::2]',
  'ftp://localhost',
  'file:///etc/passwd',
  'data:,text',
])('credentials may not be sent to %s', (address) => {
  expect(isSecure(new URL(address))).toBe(false)
})

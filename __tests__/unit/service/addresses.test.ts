import { describe, expect, it } from '@jest/globals'
import { isLoopback, isSecure } from '../../../src/service/addresses.ts'

describe('credentials and links may be sent', () => {
  it.each([
    'https://service.example',
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.1.2.3:99',
    'http://[::1]:8080',
    'http://LOCALHOST',
    'http://0x7f.1',
  ])('to %s', (address) => expect(isSecure(new URL(address))).toBe(true))

  it.each([
    'http://service.example',
    'http://10.127.0.1',
    'http://0.0.0.0',
    'http://[::ffff:127.0.0.1]',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://128.0.0.1',
    'http://[::2]',
    'ftp://localhost',
    'file:///etc/passwd',
    'data:,text',
  ])('not to %s', (address) => expect(isSecure(new URL(address))).toBe(false))

  it('by the whole name of a loopback host, not by a part of it', () => {
    expect(isLoopback('127.0.0.1')).toBe(true)
    expect(isLoopback('127.10.200.30')).toBe(true)
    expect(isLoopback('x127.0.0.1')).toBe(false)
    expect(isLoopback('127.0.0.1x')).toBe(false)
    expect(isLoopback('')).toBe(false)
  })
})

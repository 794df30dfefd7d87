import { describe, expect, it } from '@jest/globals'
import { isLoopback, isSecure, reachesThisMachine } from '../../../src/service/addresses.ts'

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
    'http://10.0.0.1',
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

const reaches = (address: string) => reachesThisMachine(new URL(address).hostname)

describe('a connection ends at this machine', () => {
  it.each([
    'https://localhost',
    'https://a.localhost',
    'https://LOCALHOST.',
    'https://127.0.0.1',
    'https://127.1.',
    'https://0x7f000002',
    'https://0.0.0.0',
    'https://0',
    'https://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
  ])('at %s', (address) => expect(reaches(address)).toBe(true))

  it.each([
    'https://store.example',
    'https://localhost.example',
    'https://10.0.0.1',
    'https://128.0.0.1',
    'https://[2001:db8::1]',
    'https://[::ffff:10.0.0.1]',
  ])('not at %s', (address) => expect(reaches(address)).toBe(false))
})

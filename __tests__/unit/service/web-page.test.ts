import { expect, it } from '@jest/globals'
import { isWebPage } from '../../../src/service/answer-body.ts'

it.each([
  ['text/html; charset=utf-8', ''],
  ['application/xhtml+xml', '<?xml version="1.0"?>'],
  [undefined, '<!DOCTYPE html>'],
  ['application/json', '\ufeff\r\n <HTML lang="en">'],
])('%s %j is a web page', (type, body) => {
  expect(isWebPage({ headers: type === undefined ? {} : { 'content-type': type }, body })).toBe(
    true,
  )
})

it.each([
  ['application/json', '{"html":1}'],
  ['text/plain', 'see <html>'],
  ['application/xml', '<?xml version="1.0"?><Error/>'],
  [undefined, '<htmlx>'],
])('%s %j is none', (type, body) => {
  expect(isWebPage({ headers: type === undefined ? {} : { 'content-type': type }, body })).toBe(
    false,
  )
})

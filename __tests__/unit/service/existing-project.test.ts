import { describe, expect, it } from '@jest/globals'
import { saysProjectExists } from '../../../src/service/names.ts'

const saysSo = (words: string, status = 400) => saysProjectExists({ status, words }, 'reports')

describe('an error says that the project exists', () => {
  it.each([
    'A project with the name reports already exists.',
    'The project "reports" already exists in region eu-west-1.',
    "A project named 'reports' already exists. Choose another name.",
    'reports already exists!',
    'Not created. You have a project called `reports` that already exists on your plan.',
    'Could not create it, since a project with name=reports ALREADY EXISTS',
  ])('by the words %j', (words) => expect(saysSo(words)).toBe(true))
})

describe('an error does not say that the project exists', () => {
  it.each([
    'The selected region is not supported for reports.',
    'The region of reports is not supported. Projects already exist in eu-west-1 and us-east-1.',
    'Upgrade your plan: 3 projects already exist, and reports would be one too many.',
    'A project with the name reports-2 already exists.',
    'A project with the name my_reports already exists.',
    'A project with the name reports.old already exists.',
    'A project with the name Reports already exists.',
    'A project with the name other already exists; reports was not looked at. Try again.',
    'A project with this name already exists.',
    'The name reports must not already exist.',
    `${'x'.repeat(4_000)}. A project with the name reports already exists.`,
    '',
  ])('by the words %j', (words) => expect(saysSo(words)).toBe(false))

  it('by another status', () => {
    expect(saysSo('A project with the name reports already exists.', 409)).toBe(false)
  })
})

import { describe, expect, it } from '@jest/globals'
import { saysProjectExists } from '../../../src/service/existing-project.ts'
import { HttpError } from '../../../src/service/errors.ts'

const saysSo = (words: string, name = 'reports') =>
  saysProjectExists(new HttpError({ status: 400, key: 'message', words }), name)

describe('an error says that the project exists', () => {
  it.each([
    'A project with the name reports already exists.',
    'Project reports already exists',
    'The project "reports" already exists in region eu-west-1.',
    "A project named 'reports' already exists. Choose another name.",
    'The name reports is taken: a project with it already exists.',
    'reports already exists!',
    'Not created. You have a project called `reports` that already exists on your plan.',
    'A project with this name (reports) already exists for the selected region.',
    'Could not create it, since a project with name=reports ALREADY EXISTS',
    'A project named reports in region eu-west-1 already exists.',
  ])('by the words %j', (words) => expect(saysSo(words)).toBe(true))

  it.each([
    ['project', 'A project with the name project already exists.'],
    ['name', 'A project with the name "name" already exists.'],
    ['already', 'Project already already exists.'],
    ['region-1', 'The project region-1 already exists.'],
  ])('though it is called %j', (name, words) => expect(saysSo(words, name)).toBe(true))
})

describe('an error does not say that the project exists', () => {
  it.each([
    'The selected region is not supported for reports.',
    'The region of reports is not supported. Projects already exist in eu-west-1 and us-east-1.',
    'The region reports already exists in your list of regions.',
    'This container image is not supported: reports needs one that already exists.',
    'The image reports already exists, but not for this plan.',
    'The image "reports" already exists.',
    'The image of project reports already exists.',
    'The region name reports already exists.',
    'Upgrade your plan: 3 projects already exist, and reports would be one too many.',
    'Your plan allows 3 projects, and reports would be the fourth: 3 already exist.',
    'A project with the name reports-2 already exists.',
    'A project with the name my_reports already exists.',
    'A project with the name reports.old already exists.',
    'A project with the name Reports already exists.',
    'A project with the name other already exists; reports was not looked at. Try again.',
    'reports was not looked at. A project with the name other already exists.',
    'A project with this name already exists.',
    'The name reports must not already exist.',
    'The name reports must not  already exist.',
    'The container reports already exists.',
    'The runtime reports already exists.',
    'The version reports already exists.',
    'On your plan, three such as reports already exist.',
    `${'x'.repeat(4_000)}. A project with the name reports already exists.`,
    'It could not be checked whether a project named reports already exists.',
    'The name reports is not allowed.',
    '',
  ])('by the words %j', (words) => expect(saysSo(words)).toBe(false))

  it.each([
    ['project', 'A project with the name other already exists.'],
    ['project', 'A project already exists in the selected region.'],
    ['name', 'A project with the name other already exists.'],
    ['exists', 'A project with the name other already exists.'],
    ['region', 'The selected region is not supported: one already exists.'],
    ['plan', 'The most projects of your plan already exist.'],
    ['this', 'A project with this name already exists.'],
    ['account', 'In your account a project with the name other already exists.'],
    ['supported', 'A supported one with the name other already exists.'],
    ['limit', 'The project limit is reached: three already exist.'],
    ['eports', 'A project with the name Reports already exists.'],
    ['python-3', 'The image python-3.12 of the project already exists.'],
  ])('to one called %j by the words %j', (name, words) => expect(saysSo(words, name)).toBe(false))

  it('by another status or under another key', () => {
    const words = 'A project with the name reports already exists.'
    const others = [
      new HttpError({ status: 409, key: 'message', words }),
      new HttpError({ status: 400, key: 'error', words }),
      new HttpError({ status: 400, key: undefined, words }),
    ]
    expect(others.map((failure) => saysProjectExists(failure, 'reports'))).toEqual([
      false,
      false,
      false,
    ])
  })
})

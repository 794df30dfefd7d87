import { describe, expect, it } from '@jest/globals'
import {
  findLinkSecrets,
  findWebhookSecrets,
} from '../../../../src/messages/text/address-secrets.ts'

const unique = (values: string[]) => [...new Set(values)]
const hex = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

// Links as the clients of the stores sign them, with all values that are masked.
const links: [signedBy: string, link: string, masked: string[]][] = [
  [
    'S3, by boto3 with signature version 2',
    'https://bucket.s3.amazonaws.com/r-17.json?AWSAccessKeyId=AKIDEXAMPLE&Signature=vjbyPxybdZaNmGa%2ByT272YEAiv4%3D&Expires=1764345600',
    ['AKIDEXAMPLE', 'vjbyPxybdZaNmGa%2ByT272YEAiv4%3D', 'vjbyPxybdZaNmGa+yT272YEAiv4='],
  ],
  [
    'S3, by boto3 with a role',
    `https://bucket.s3.amazonaws.com/r-17.json?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20261128%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20261128T120000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Security-Token=IQoJb3JpZ2luX2VjEJv%2F%2Fw%3D%3D&X-Amz-Signature=${hex}`,
    [
      'AKIDEXAMPLE%2F20261128%2Fus-east-1%2Fs3%2Faws4_request',
      'AKIDEXAMPLE/20261128/us-east-1/s3/aws4_request',
      'IQoJb3JpZ2luX2VjEJv%2F%2Fw%3D%3D',
      'IQoJb3JpZ2luX2VjEJv//w==',
      hex,
    ],
  ],
  [
    'S3, by the AWS SDK for JavaScript, whose last parameter is the operation',
    `https://bucket.s3.amazonaws.com/r-17.json?X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&X-Amz-Signature=${hex}&X-Amz-SignedHeaders=host&response-content-disposition=attachment%3B%20filename%3D%22result.json%22&x-amz-checksum-mode=ENABLED&x-id=GetObject`,
    [hex],
  ],
  [
    'CloudFront, whose last parameter is the id of the key',
    'https://d111111abcdef8.cloudfront.net/r.json?Expires=1764345600&Signature=nitfHRCrtziwO2HwPfWw~yYDhUF5EwRunQA-&Key-Pair-Id=K2JCJMDEHXQW5F',
    ['nitfHRCrtziwO2HwPfWw~yYDhUF5EwRunQA-', 'K2JCJMDEHXQW5F'],
  ],
  [
    'CloudFront, with a policy',
    'https://d111111abcdef8.cloudfront.net/r.json?Policy=eyJTdGF0ZW1lbnQiOltd&Signature=nitfHRCrtz__&Key-Pair-Id=K2JCJMDEHXQW5F',
    ['eyJTdGF0ZW1lbnQiOltd', 'nitfHRCrtz__', 'K2JCJMDEHXQW5F'],
  ],
  [
    'Azure',
    'https://account.blob.core.windows.net/c/r.json?sv=2024-11-04&st=2026-11-28&se=2026-11-29&sr=b&sp=r&sig=vjbyPxybdZaNmGa%2ByT272YEAiv4%3D',
    ['vjbyPxybdZaNmGa%2ByT272YEAiv4%3D', 'vjbyPxybdZaNmGa+yT272YEAiv4='],
  ],
  [
    'Azure, by a user, whose key has ids',
    'https://account.blob.core.windows.net/c/r.json?skoid=6f1d3f0c-93d0-4a3e-8f5c-0a1b2c3d4e5f&sks=b&skv=2024-11-04&sp=r&sig=a%2Fb%3Dcd',
    ['6f1d3f0c-93d0-4a3e-8f5c-0a1b2c3d4e5f', 'a%2Fb%3Dcd', 'a/b=cd'],
  ],
  [
    'Google',
    `https://storage.googleapis.com/bucket/r.json?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=me%40p.iam%2F20261128%2Fauto%2Fstorage%2Fgoog4_request&X-Goog-Date=20261128T120000Z&X-Goog-SignedHeaders=host&X-Goog-Signature=${hex}`,
    [
      'me%40p.iam%2F20261128%2Fauto%2Fstorage%2Fgoog4_request',
      'me@p.iam/20261128/auto/storage/goog4_request',
      hex,
    ],
  ],
  [
    'R2',
    `https://bucket.0123abcd.r2.cloudflarestorage.com/r.json?X-Amz-Credential=0a1b2c3d%2F20261128%2Fauto%2Fs3%2Faws4_request&X-Amz-Signature=${hex}&x-id=GetObject`,
    [
      '0a1b2c3d%2F20261128%2Fauto%2Fs3%2Faws4_request',
      '0a1b2c3d/20261128/auto/s3/aws4_request',
      hex,
    ],
  ],
  [
    'MinIO, with a version and a name',
    `https://minio.example:9000/bucket/r.json?versionId=3f2504e0-4f89-11d3-9a0c-0305e82c3301&X-Amz-Signature=${hex}&filename=result.json`,
    ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', hex],
  ],
  [
    'S3, with headers of the answer',
    `https://bucket.s3.amazonaws.com/r.json?response-content-type=text%2Fcsv%3B%20charset%3Dutf-8&response-content-disposition=attachment%3B%20filename%3D%22prices-2026-11.csv%22&X-Amz-Signature=${hex}`,
    [hex],
  ],
  [
    'Azure, with times to the second',
    'https://account.blob.core.windows.net/c/r.json?st=2026-11-28T18%3A00%3A00Z&se=2026-11-28T18:01:00Z&rsct=text/csv;%20charset=utf-8&sig=a%2Fb%3Dcd',
    ['a%2Fb%3Dcd', 'a/b=cd'],
  ],
  ['nobody', 'https://store.example/r-17.json?source=github&filename=result.json', []],
  ['nobody, with a flag for a query', 'https://store.example/r.json?policy&key=1', []],
  [
    'names that contain those of ordinary parameters',
    `https://store.example/r.json?test=1${hex}&stage=2${hex}`,
    [`1${hex}`, `2${hex}`],
  ],
  ['a token for a query', `https://store.example/r.json?${hex}`, [hex]],
  [
    'a signature with an ampersand',
    'https://s.example/?sig=abcdef%26ghijkl%26mn%zz#t',
    ['abcdef%26ghijkl%26mn%zz'],
  ],
]

describe('the masks of a link', () => {
  it.each(links)('signed by %s', (_signedBy, link, masked) => {
    expect(unique(findLinkSecrets(link))).toEqual(masked)
  })

  it('contain no ampersand, because the runner would mask what stands before and after it', () => {
    const link = 'https://s.example/?sig=abcdef%26ghijkl%26mn'
    expect(findLinkSecrets(link)).toEqual(['abcdef%26ghijkl%26mn', 'abcdef', 'ghijkl'])
  })
})

describe("the masks of a webhook's address", () => {
  it.each<[webhook: string, masked: string[]]>([
    [
      'https://hooks.slack.com/services/T024BE7LD/B024BE7LH/Kd1Bu7TfOs',
      ['services/T024BE7LD/B024BE7LH/Kd1Bu7TfOs'],
    ],
    [
      'https://chat.example/v1/messages?key=AIzaSyDdI0hCZtE6vySjMm-WE&token=Yq%2FlrGyDmF%3Dabcdefgh1&t=x',
      ['AIzaSyDdI0hCZtE6vySjMm-WE', 'Yq%2FlrGyDmF%3Dabcdefgh1', 'Yq/lrGyDmF=abcdefgh1'],
    ],
    ['https://me:pass-word@hooks.example', ['pass-word']],
    ['https://me:pass%2Dword@hooks.example/#part', ['pass%2Dword', 'pass-word']],
    [
      ' https://me:pass-word@hooks.example/path-of-20-character ',
      ['pass-word', 'path-of-20-character'],
    ],
    ['https://me:four@hooks.example', []],
    ['https://Kd1Bu7TfOsVkd1bU7tFo@hooks.example', ['Kd1Bu7TfOsVkd1bU7tFo']],
    ['https://relay.example/run-automation', []],
    ['https://relay.example/run-automation/run-automation?source=github', []],
    ['https://relay.example/a-very-long-path-without-digits', []],
    ['https://relay.example/path-of-19-charact', []],
    ['https://relay.example/path-of-20-character', ['path-of-20-character']],
    ['no address', []],
  ])('%s', (webhook, masked) => {
    expect(unique(findWebhookSecrets(webhook))).toEqual(masked)
  })
})

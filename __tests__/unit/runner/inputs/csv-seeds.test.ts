import { describe, expect, it } from '@jest/globals'
import { InputProblem } from '../../../../src/runner/inputs/readings.ts'
import { readCsvSeeds } from '../../../../src/runner/inputs/seed-list.ts'
import { listOf, textsIn } from './read-list.ts'

async function problemsIn(text: string, isTsv = false): Promise<readonly string[]> {
  const error: unknown = await readCsvSeeds(text, isTsv).catch((thrown: unknown) => thrown)
  if (error instanceof InputProblem) return error.problems
  throw new Error('the list has no problem')
}

describe('a seed of each row', () => {
  it('has its members in the order of the heading, and all values as texts', async () => {
    const csv = '10,name,2,__proto__\n007,"a ""b"",\r\nc",,1.0\n 1 ,true,null,é\n'
    expect(textsIn(await readCsvSeeds(csv, false))).toEqual([
      String.raw`{"10": "007", "name": "a \"b\",\r\nc", "2": "", "__proto__": "1.0"}`,
      '{"10": " 1 ", "name": "true", "2": "null", "__proto__": "é"}',
    ])
  })

  it.each([
    ['semicolons and CRLF', 'city;country\r\nUlm;DE\r\n\r\nBern;CH', false],
    ['rows of Excel without values', 'city;country\n;\nUlm;DE\nBern;CH\n;\n; \n', false],
    ['tabs', 'city\tcountry\nUlm\tDE\nBern\tCH\n', true],
  ])('may come from %s', async (_what, text, isTsv) => {
    const lines = '{"city": "Ulm", "country": "DE"}\n{"city": "Bern", "country": "CH"}\n'
    // The file of seeds that failed has these lines, so their keys must be the same.
    expect(await readCsvSeeds(text, isTsv)).toEqual(listOf(lines))
  })

  it('may be an empty text in quotes, and its heading may have brackets', async () => {
    const seeds = textsIn(await readCsvSeeds('[city]\n""\n" "\n', false))
    expect(seeds).toEqual(['{"[city]": ""}', '{"[city]": " "}'])
  })

  it('may be none', async () => {
    expect(await readCsvSeeds('city,country\n', false)).toEqual([])
  })
})

describe('CSV that is no list of seeds', () => {
  it.each([
    ['', 'expected a heading line, found an empty file'],
    ['\n\n', 'expected a heading line, found an empty file'],
    ['a, ,c\n1,2,3\n', 'expected CSV, found no name for column 2 at line 1, column 1'],
    ['a,b,a\n1,2,3\n', 'expected CSV, found a heading with "a" twice at line 1, column 1'],
    ['\na,b\n\n1,2\n3\n', 'expected CSV, found 1 cell for 2 names at line 5, column 1'],
    [
      'a,b\r\n1,"x\r\ny"\r\n1,2,3\r\n',
      'expected CSV, found 3 cells for 2 names at line 4, column 1; put a cell that contains a delimiter into double quotes',
    ],
    [
      'a,b\n1,2\n3,"4\n5,6\n',
      'expected CSV, found a quote that is never closed at line 3, column 1',
    ],
    [
      'a,b\n1,"2"3\n4,5\n',
      'expected CSV, found text after a closing quote (inside a cell, a quote is written "") at line 2, column 1',
    ],
    [';\na;b\n;;\n1\n', 'expected CSV, found 1 cell for 2 names at line 4, column 1'],
    ['[]', 'expected CSV or TSV, as its name says, found what looks like JSON'],
    ['{"a":1}\n{"a":2}\n', 'expected CSV or TSV, as its name says, found what looks like JSON'],
    ['\n<!DOCTYPE html>\n', 'expected CSV or TSV, as its name says, found what looks like HTML'],
    ['"a,b\n1,2\n', 'expected CSV, found a quote that is never closed at line 1, column 1'],
  ])('%j is reported with its line', async (text, problem) => {
    expect(await problemsIn(text)).toEqual([problem])
  })

  it('has a problem for each row', async () => {
    expect(await problemsIn('a\tb\n1\n2\t3\n4\t5\t6\n', true)).toEqual([
      'expected CSV, found 1 cell for 2 names at line 2, column 1',
      'expected CSV, found 3 cells for 2 names at line 4, column 1; put a cell that contains a delimiter into double quotes',
    ])
  })

  it('has more than 10,000 rows', async () => {
    expect(await readCsvSeeds(`a\n${'1\n'.repeat(10_000)}`, false)).toHaveLength(10_000)
    expect(await problemsIn(`a\n${'1\n'.repeat(10_002)}`)).toEqual([
      'expected at most 10,000 seeds, found more; split the list over the jobs of a matrix',
    ])
  })
})

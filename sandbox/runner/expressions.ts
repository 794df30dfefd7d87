/** Evaluates the expressions in the defaults of inputs, with GitHub's own implementation. */
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'

/** The contexts that GitHub allows in a default. The function `hashFiles` is not supported here. */
const contextNames = ['github', 'strategy', 'matrix', 'job', 'runner'] as const

export type Contexts = Partial<Record<(typeof contextNames)[number], unknown>>

/**
 * Returns the text with each expression replaced by its value.
 *
 * @throws Error if GitHub would refuse the expression.
 */
export function evaluateExpressions(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const { tokens } = new Lexer(expression.trim()).lex()
    const parsed = new Parser(tokens, [...contextNames], []).parse()
    return new Evaluator(parsed, dataOf(contexts)).evaluate().coerceString()
  })
}

function dataOf(contexts: Contexts): data.Dictionary {
  const pairs = contextNames.map((name) => ({
    key: name,
    value: JSON.parse(JSON.stringify(contexts[name] ?? null), data.reviver) as data.ExpressionData,
  }))
  return new data.Dictionary(...pairs)
}

/** Expressions in the defaults of inputs, evaluated by GitHub's own implementation. */
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'

/** What GitHub lets a default use (beside `hashFiles`): other names are errors there too. */
const contextNames = ['github', 'strategy', 'matrix', 'job', 'runner'] as const

export type Contexts = Partial<Record<(typeof contextNames)[number], unknown>>

/**
 * A text with each expression in it replaced by its value as text.
 *
 * @throws Error where GitHub would refuse it.
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

/** Loaded as one chunk after the first request was sent, because only responses need the schemas. */
export { createProjectAnswerSchema, startAnswerSchema, statusSchemaOf } from './contract.ts'
export { readAnswer } from './read-answer.ts'

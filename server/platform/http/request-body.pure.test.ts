import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createErrorHandler } from './error-handlers.ts'
import { bodyLimit, registerJsonParser } from './request-body.ts'

// Tests the body parser without the rest of the server.

const app = fastify({ bodyLimit })
registerJsonParser(app)
app.setErrorHandler(createErrorHandler())
app.post('/', async ({ body }) => ({ read: body === undefined ? 'nothing' : body }))
const send = (payload: string | Buffer) =>
  app.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, payload })

const siblings = (one: string) => Array.from({ length: 20 }, () => one).join()

test.each([
  ['a form', '{"a":1,"b":"two","c":null,"d":true,"e":[1,"two",null,{"f":"g"}]}'],
  ['a word', '"one"'],
  ['a list of lists', `[${siblings('[]')}]`],
  ['a list of forms', `[${siblings('{}')}]`],
  ['many lists that hold one', `[${siblings('[[]]')}]`],
  ['many forms that hold one', `[${siblings('{"a":{}}')}]`],
  ['ten levels of lists', '['.repeat(10) + ']'.repeat(10)],
  ['ten levels of forms', `${'{"a":'.repeat(9)}{}${'}'.repeat(9)}`],
  ['brackets and colons within a word', '{"a":"[[[[[[[[[[[[{{{{{{{{{{{{::::"}'],
  ['quotes within a word', '{"a":"say \\"b\\":1"}'],
  ['a quote within a word, and what looks like JSON behind it', '{"a":"\\":[{[{[{[{[{[{[{"}'],
  ['a backslash at the end of a word', '{"a":"\\\\","b":"c"}'],
  ['a key with a colon', '{"a:b":1}'],
  ['a whole character of two halves', '{"a":"\\ud83d\\ude00"}'],
])('reads %s as it is written', async (_, text) => {
  const sent = await send(text)
  expect(sent.statusCode).toBe(200)
  expect(sent.json()).toEqual({ read: JSON.parse(text) })
})

test('reads an empty body as no body', async () => {
  expect((await send('')).json()).toEqual({ read: 'nothing' })
})

// R-everywhere-11
test.each([
  ['bytes that are no text', Buffer.from([0x22, 0xff, 0x22])],
  ['half of JSON', '{"a":'],
  ['more than JSON', '{} {}'],
  ['numbers that are none', '{"a":NaN}'],
  ['UTF-16', Buffer.from('{"a":"é"}', 'utf16le')],
  ['a tower that does not end', '{"a":'.repeat(10_000)],
  ['a key that came twice', '{"a":1,"a":1}'],
  ['a key that came twice, spelt in two ways', '{"a":1,"\\u0061":1}'],
  ['a key with a colon that came twice', '{":":1,":":1}'],
  ['a key that came twice further in', '[{"a":{"b":1,"b":1}}]'],
  ['a key that changes what an object is', '{"__proto__":{}}'],
  ['a key that reaches what made it', '{"a":{"constructor":1}}'],
  ['a key that reaches what others are made of', '{"prototype":1}'],
  ['NUL in a word', '{"a":"\\u0000"}'],
  ['NUL in a key', '{"\\u0000":1}'],
  ['half of a character', '{"a":"\\ud83d"}'],
  ['half of a character in a key', '["a",{"\\ude00":1}]'],
  ['eleven levels of lists', '['.repeat(11) + ']'.repeat(11)],
  ['eleven levels of lists with numbers between', `${'[1,'.repeat(11)}1${']'.repeat(11)}`],
  ['eleven levels of forms', `${'{"a":'.repeat(10)}{}${'}'.repeat(10)}`],
])('rejects %s', async (_, text) => {
  const sent = await send(text)
  expect([sent.statusCode, sent.json().errorCode]).toEqual([400, 'BadRequest'])
})

test('rejects a body of more than 64 KiB', async () => {
  const word = (length: number) => `"${'a'.repeat(length - 2)}"`
  expect((await send(word(65_536))).statusCode).toBe(200)
  expect((await send(word(65_537))).statusCode).toBe(413)
})

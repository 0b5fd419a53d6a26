/** A part of the introduction: paragraphs, in which `code` may stand, and an example of commands. */
export type IntroductionPart = { id: string; title: string; paragraphs: readonly string[]; example?: string }

/** What somebody reads before the first request; the document's description and the page show it. */
export const introduction: readonly IntroductionPart[] = [
  {
    id: 'start',
    title: 'Start here',
    paragraphs: [
      'Everything that Keyturn’s pages do goes through this API. Requests and responses are JSON in UTF-8. Responses may get new fields at any time, so ignore fields that you do not know. Existing fields keep their name and meaning.',
      'To follow a sale, create an access token and read your cars, then the deal of each car.',
    ],
    example: `export TOKEN=...   # from Settings, Access tokens
curl -H "Authorization: Bearer $TOKEN" https://keyturn.example/user
curl -H "Authorization: Bearer $TOKEN" https://keyturn.example/cars/$USER_ID
curl -H "Authorization: Bearer $TOKEN" https://keyturn.example/progress/$SELLER_ID/$VIN`,
  },
  {
    id: 'authentication',
    title: 'Authentication',
    paragraphs: [
      '**Access tokens** are for your own programs. Create one under Settings, Access tokens, choose its scopes, and send it as `Authorization: Bearer`. Each operation names the scope that it needs. Operations without one refuse tokens: signing, for example, is left to people who are signed in. A rejected token gets 401 or 403 with `WWW-Authenticate: Bearer`, whose `error` is `invalid_token` or `insufficient_scope`. A token is shown once and works for at most a year. A changed password revokes all tokens. Only verified buyers and sellers can create them.',
      '**Sessions** are for browsers. `POST /auth/login` sets cookies that scripts cannot read. They last ten minutes; `GET /auth/refresh` renews them.',
      '**Signatures** are for dealers’ systems. Each request has `webhook-id`, `webhook-timestamp` and `webhook-signature`, as standardwebhooks.com specifies. Sign the method, a space, the path, a line feed and the exact body: `POST /partner/deals/ID`, then the body on the next line. A signature is valid for five minutes.',
      '**Administrators** of Keyturn sign in separately, with a name, a password and, once it is set up, a code of an authenticator app. Support only reads; an operator also acts. Operations that only they call are in the OpenAPI document, marked `x-internal`.',
      'In the OpenAPI document, `x-callers` names who may call an operation. `trader` is a verified buyer or seller, `wholesaler` an approved one, `verified` anybody whose address is verified, and `partner` a dealer’s system. `administrator` is support or an operator, and `operator` is an operator alone.',
      'A request for a row that is not yours gets 404, as if it did not exist.',
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    paragraphs: [
      'If the status is 400 or above, the body is an Error: `errorCode` for your program, `message` for people, and `errors` with one sentence for each invalid field. Each operation lists its codes. Check the code, not the message.',
      'A 409 StaleVersion has the current row in `current`. 503 Unavailable is temporary: wait as many seconds as `Retry-After` says, and send the request again.',
    ],
    example: `{
  "errorCode": "ValidationError",
  "message": "Invalid price.",
  "errors": [{ "path": "price", "message": "Invalid price." }]
}`,
  },
  {
    id: 'idempotency',
    title: 'Repeating a request',
    paragraphs: [
      'When a response is lost, you cannot know whether the change was made. Send `Idempotency-Key` with a value of your own, such as a UUID, and repeat the request with the same key and body. It is executed once. For at least 72 hours, a repeated request gets the stored response, with `Idempotent-Replayed: true`. Operations that accept a key say so.',
      'The same key with another body gets 422 IdempotencyKeyReused, and 409 IdempotencyInFlight while the first request is running.',
    ],
  },
  {
    id: 'money',
    title: 'Money, times and ids',
    paragraphs: [
      'Amounts are US dollars as numbers with at most two decimals: `18500` or `618.75`. Prices that people enter are whole dollars.',
      'Times are UTC, as `2026-11-27T15:04:05.000Z`. Ids are 24 hexadecimal digits.',
    ],
  },
  {
    id: 'versions',
    title: 'Changes by others',
    paragraphs: [
      'Cars, deals and trades have a `version` that grows with every change. With your change, send the version that you read. If the row has changed in the meantime, nothing happens and you get 409 StaleVersion.',
      'The API itself has one version. Packages and events for dealers are numbered, because they are signed. A new format gets a new number, and the old one stays.',
    ],
  },
  {
    id: 'paging',
    title: 'Lists in pages',
    paragraphs: [
      'Long lists come in pages of `limit` rows. While there are more, the header `Link` has the URL of the next page with `rel="next"`. Follow it as it is.',
    ],
  },
  {
    id: 'limits',
    title: 'Rate limits',
    paragraphs: [
      'Each operation has a limit for each person, or for each network address without a session. All operations together are limited to 600 requests a minute from one address. Above a limit you get 429 TooManyRequests and `Retry-After`, the seconds to wait.',
    ],
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    paragraphs: [
      'A dealer’s system is told about each signed deal by a POST to its own address. Verify the signature, which covers `webhook-id`, `webhook-timestamp` and the exact body, before you trust it. Respond with 2xx once you have stored the delivery. Otherwise it is sent again for three days, at growing intervals. Handle each `webhook-id` once.',
    ],
  },
]

export const toMarkdown = (parts: readonly IntroductionPart[]): string =>
  parts
    .map(({ title, paragraphs, example }) =>
      [`## ${title}`, ...paragraphs, ...(example ? [`\`\`\`\n${example}\n\`\`\``] : [])].join('\n\n'),
    )
    .join('\n\n')

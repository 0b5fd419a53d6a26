import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import express from 'express'
import pg from 'pg'
import { z } from 'zod'

// Baselines on the same tables, with prepared statements. `limit` uses node:http and pg alone,
// `express` uses Express and zod. Neither logs price changes or stores responses by idempotency
// key.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
pg.types.setTypeParser(20, Number)

const publicCar = {
  name: 'public-car',
  text: `select c.id, c.seller_id, c.vin, c.make, c.model, c.year, c.trim, c.mileage, c.color, c.price_cents, c.zip_code,
    c.version, c.created_at, u.first_name, u.last_name, u.email, u.phone_number
    from cars c join users u on u.id = c.seller_id
    where c.seller_id = $1 and c.vin = $2 and c.deleted_at is null and c.completed_at is null`,
}
const session = {
  name: 'session',
  text: `select s.user_id from access_tokens t join sessions s on s.id = t.session_id
    where t.hash = $1 and t.expires_at > now() and s.ended_at is null`,
}
const setPrice = {
  name: 'set-price',
  text: 'update cars set price_cents = $2 where id = $1 and seller_id = $3 returning *',
}

const queryRow = async (query, ...values) => (await pool.query({ ...query, values })).rows[0]

function personOf(request) {
  const token = /at=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  return queryRow(session, createHash('sha256').update(token).digest())
}

function limit() {
  return createServer(async (request, response) => {
    const [, , , one, two] = request.url.split('/')
    const row = request.method === 'GET' ? await queryRow(publicCar, one, two) : await write(request, one)
    response.writeHead(row ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(row ?? null))
  })
  async function write(request, carId) {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { newPrice } = JSON.parse(Buffer.concat(chunks).toString())
    const person = await personOf(request)
    return person && queryRow(setPrice, carId, newPrice * 100, person.user_id)
  }
}

function expressApp() {
  const id = z.string().regex(/^[0-9a-f]{24}$/)
  const price = z.object({ newPrice: z.number().int().min(1).max(10_000_000) })
  const app = express().use(express.json())
  app.get('/cars/public/:sellerId/:vin', async ({ params }, response) => {
    const row = await queryRow(publicCar, params.sellerId, params.vin)
    response.status(row ? 200 : 404).json(row ?? null)
  })
  app.put('/cars/update-price/:carId', async (request, response) => {
    const person = await personOf(request)
    if (!person) return response.status(401).json({ error: 'Unauthorized' })
    const [carId, body] = [id.safeParse(request.params.carId), price.safeParse(request.body)]
    if (!carId.success || !body.success) return response.status(422).json({ error: 'Invalid' })
    const row = await queryRow(setPrice, carId.data, body.data.newPrice * 100, person.user_id)
    response.status(row ? 200 : 404).json(row ?? null)
  })
  return app
}

const server = process.argv[2] === 'limit' ? limit() : expressApp()
server.listen(Number(process.env.PORT), '127.0.0.1')

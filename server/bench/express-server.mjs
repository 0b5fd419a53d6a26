import { createHash } from 'node:crypto'
import express from 'express'
import pg from 'pg'
import { z } from 'zod'

// What a careful team writes first: Express, zod and pg, prepared statements, nothing kept but the row.

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
const id = z.string().regex(/^[0-9a-f]{24}$/)
const asked = z.object({ newPrice: z.number().int().min(1).max(10_000_000), sellerId: id.optional() })

const app = express()
app.use(express.json())

app.get('/cars/public/:sellerId/:vin', async (request, response) => {
  const { rows } = await pool.query({ ...publicCar, values: [request.params.sellerId, request.params.vin] })
  response.status(rows[0] ? 200 : 404).json(rows[0] ?? null)
})

app.put('/cars/update-price/:carId', signedIn, async (request, response) => {
  const carId = id.safeParse(request.params.carId)
  const body = asked.safeParse(request.body)
  if (!carId.success || !body.success) return response.status(422).json({ error: 'Invalid' })
  const values = [carId.data, body.data.newPrice * 100, response.locals.userId]
  const { rows } = await pool.query({ ...setPrice, values })
  response.status(rows[0] ? 200 : 404).json(rows[0] ?? null)
})

async function signedIn(request, response, next) {
  const token = /at=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const hash = createHash('sha256').update(token).digest()
  const { rows } = await pool.query({ ...session, values: [hash] })
  if (!rows[0]) return response.status(401).json({ error: 'Unauthorized' })
  response.locals.userId = rows[0].user_id
  next()
}

app.listen(Number(process.env.PORT), '127.0.0.1')

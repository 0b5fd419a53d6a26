import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'

// The limit: what node:http and pg cost with nothing around them. Two calls: a prepared select, and a prepared
// session select plus a prepared update.

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

const server = createServer(async (request, response) => {
  const [, , , one = '', two = ''] = (request.url ?? '').split('/')
  const row = request.method === 'GET' ? await read(one, two) : await write(request, one)
  response.writeHead(row ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(row ?? null))
})

async function read(sellerId, vin) {
  const { rows } = await pool.query({ ...publicCar, values: [sellerId, vin] })
  return rows[0]
}

async function write(request, carId) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { newPrice } = JSON.parse(Buffer.concat(chunks).toString())
  const token = /at=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const hash = createHash('sha256').update(token).digest()
  const found = await pool.query({ ...session, values: [hash] })
  if (!found.rows[0]) return null
  const { rows } = await pool.query({ ...setPrice, values: [carId, newPrice * 100, found.rows[0].user_id] })
  return rows[0]
}

server.listen(Number(process.env.PORT), '127.0.0.1')

#!/bin/sh
# Run once by PostgreSQL's image, when its database is made: the user who serves, beside the one who owns the tables.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=password="$SERVING_PASSWORD" <<'SQL'
create role keyturn_app login password :'password';
SQL

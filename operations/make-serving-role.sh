#!/bin/sh
# PostgreSQL's image runs this once, after creating the database. It creates the serving user beside
# the owner of the tables.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=password="$SERVING_PASSWORD" <<'SQL'
create role keyturn_app login password :'password';
SQL

-- CreateTable
CREATE TABLE "agent_tokens" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "created_by_id" TEXT,
    "name" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agents" (
    "id" TEXT NOT NULL,
    "token_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checks_per_minute" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "lateness_p99_ms" DOUBLE PRECISION,
    "clock_offset_ms" DOUBLE PRECISION,
    "has_network" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "agent_tokens_secret_hash_key" ON "agent_tokens"("secret_hash");

-- CreateIndex
CREATE INDEX "agent_tokens_team_id_id_idx" ON "agent_tokens"("team_id", "id" DESC);

-- CreateIndex
CREATE INDEX "agent_tokens_created_by_id_idx" ON "agent_tokens"("created_by_id");

-- CreateIndex
CREATE INDEX "agents_token_id_seen_at_idx" ON "agents"("token_id", "seen_at");

-- AddForeignKey
ALTER TABLE "agent_tokens" ADD CONSTRAINT "agent_tokens_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_tokens" ADD CONSTRAINT "agent_tokens_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "agent_tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The claims of agents: other teams may have regions of the same name.
CREATE INDEX monitor_states_private_due_idx ON monitor_states (team_id, region, due_at) WHERE region LIKE 'private/%';

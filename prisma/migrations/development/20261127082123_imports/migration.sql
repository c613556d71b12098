-- CreateEnum
CREATE TYPE "import_state" AS ENUM ('uploading', 'ready', 'running', 'done', 'undoing', 'undone');

-- CreateEnum
CREATE TYPE "import_outcome" AS ENUM ('waiting', 'started', 'created', 'updated', 'kept', 'failed', 'deleted', 'left');

-- CreateTable
CREATE TABLE "imports" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "state" "import_state" NOT NULL DEFAULT 'uploading',
    "draft" TEXT,
    "start_paused" BOOLEAN NOT NULL DEFAULT true,
    "history" BOOLEAN NOT NULL DEFAULT true,
    "undoes_changed" BOOLEAN NOT NULL DEFAULT false,
    "claimed_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_parts" (
    "import_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "data" TEXT NOT NULL,

    CONSTRAINT "import_parts_pkey" PRIMARY KEY ("import_id","position")
);

-- CreateTable
CREATE TABLE "import_items" (
    "import_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "is_copy" BOOLEAN NOT NULL DEFAULT false,
    "outcome" "import_outcome" NOT NULL DEFAULT 'waiting',
    "object_id" TEXT,
    "fingerprint" TEXT,
    "note" TEXT,

    CONSTRAINT "import_items_pkey" PRIMARY KEY ("import_id","position")
);

-- CreateIndex
CREATE INDEX "imports_team_id_id_idx" ON "imports"("team_id", "id" DESC);

-- CreateIndex
CREATE INDEX "imports_created_at_idx" ON "imports"("created_at");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_parts" ADD CONSTRAINT "import_parts_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_items" ADD CONSTRAINT "import_items_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;
